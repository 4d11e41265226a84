/// What shells complete behind `binnacle`, made from the option tables.
enum Completions {
  /// What a value is, as far as a shell can help with it.
  private enum Value {
    case none, file, folder, port
    case words([String])

    init(_ option: Option) {
      self =
        !option.choices.isEmpty
        ? .words(option.choices) : option.valueName.map { Value(named: $0) } ?? .none
    }

    init(named name: String) {
      switch name {
      case "FILE", "FILE...", "PATH", "TRACK": self = .file
      case "DIR": self = .folder
      case "PORT": self = .port
      default: self = .none
      }
    }
  }

  private static let portGlob = "/dev/tty[AU]* /dev/serial* /dev/gnss*"

  // MARK: bash

  static var bash: String {
    var text = """
      # bash completion of binnacle. Made by 'binnacle manual'.
      _binnacle() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=""
        if [ "$COMP_CWORD" -eq 1 ]; then
          words="\(Subcommand.all.map(\.name).joined(separator: " ")) help --help --version"
          COMPREPLY=($(compgen -W "$words" -- "$word"))
          return
        fi
        case "${COMP_WORDS[1]}$before" in

      """
    for subcommand in Subcommand.all {
      for option in subcommand.options where option.valueName != nil {
        text += "    \(subcommand.name)--\(option.name)) \(bashReply(Value(option))); return ;;\n"
      }
    }
    text += "  esac\n  case ${COMP_WORDS[1]} in\n"
    for subcommand in Subcommand.all {
      let options = subcommand.options.map { "--\($0.name)" } + ["--help"]
      text += "    \(subcommand.name)) words=\"\(options.joined(separator: " "))\" ;;\n"
    }
    return text + """
        esac
        case $word in
          -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
          *) COMPREPLY=($(compgen -f -- "$word")) ;;
        esac
      }
      complete -o filenames -F _binnacle binnacle

      """
  }

  private static func bashReply(_ value: Value) -> String {
    switch value {
    case .none: "COMPREPLY=()"
    case .file: "COMPREPLY=($(compgen -f -- \"$word\"))"
    case .folder: "COMPREPLY=($(compgen -d -- \"$word\"))"
    case .port: "COMPREPLY=($(compgen -W \"$(echo \(portGlob))\" -- \"$word\"))"
    case .words(let words):
      "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\"))"
    }
  }

  // MARK: zsh

  static var zsh: String {
    var text = "#compdef binnacle\n# Made by 'binnacle manual'.\n_binnacle() {\n"
    text += "  if (( CURRENT == 2 )); then\n    local -a commands=(\n"
    for subcommand in Subcommand.all {
      text += "      \(quoted("\(subcommand.name):\(subcommand.summary)"))\n"
    }
    text += "    )\n    _describe command commands\n    return\n  fi\n"
    text += "  local command=$words[2]\n  shift words; (( CURRENT-- ))\n  case $command in\n"
    for subcommand in Subcommand.all {
      let specifications = subcommand.options.map(zshSpecification) + ["'--help[Print the usage]'"]
      let operand = zshAction(Value(named: String(subcommand.operands.prefix { $0 != " " })))
      text += "    \(subcommand.name)) _arguments \\\n      "
      text += specifications.joined(separator: " \\\n      ")
      text += " \\\n      '*:operand:\(operand)' ;;\n"
    }
    return text + "  esac\n}\n_binnacle \"$@\"\n"
  }

  private static func zshSpecification(_ option: Option) -> String {
    let help = String(option.help.map { "[]:".contains($0) ? " " : $0 })
    let repeats = option.isRepeatable ? "*" : ""
    guard let value = option.valueName else { return quoted("\(repeats)--\(option.name)[\(help)]") }
    return quoted("\(repeats)--\(option.name)=[\(help)]:\(value):\(zshAction(Value(option)))")
  }

  private static func zshAction(_ value: Value) -> String {
    switch value {
    case .none: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .port: "_files -g \"/dev/(tty[AU]*|serial*|gnss*)\""
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  // MARK: fish

  static var fish: String {
    var text = "# fish completion of binnacle. Made by 'binnacle manual'.\n"
    let start = "complete -c binnacle"
    for subcommand in Subcommand.all {
      text += "\(start) -n __fish_use_subcommand -f -a \(subcommand.name)"
      text += " -d \(quoted(subcommand.summary))\n"
    }
    for subcommand in Subcommand.all {
      let condition = "-n '__fish_seen_subcommand_from \(subcommand.name)'"
      for option in subcommand.options {
        text += "\(start) \(condition) -l \(option.name)\(fishValue(option))"
        text += " -d \(quoted(option.help))\n"
      }
      text += "\(start) \(condition) -l help -d 'Print the usage'\n"
    }
    return text
  }

  private static func fishValue(_ option: Option) -> String {
    guard option.valueName != nil else { return "" }
    switch Value(option) {
    case .none: return " -x"
    case .file: return " -r -F"
    case .folder: return " -x -a '(__fish_complete_directories)'"
    case .port: return " -x -a \(quoted("(ls \(portGlob) 2>/dev/null)"))"
    case .words(let words): return " -x -a \(quoted(words.joined(separator: " ")))"
    }
  }

  /// For all three shells: in single quotes, where only these need care.
  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}

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

    /// The first operand: words to choose from are written small, as `add NAME | list`.
    init(operandsOf subcommand: Subcommand) {
      let names = subcommand.operands.split { " |[]".contains($0) }.map(String.init)
      let words = names.filter {
        $0.utf8.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "z")).contains)
      }
      self = words.isEmpty ? Value(named: names.first ?? "") : .words(words)
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
    text += "  esac\n  case $word in\n"
    text += "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return ;;\n  esac\n"
    text += "  case ${COMP_WORDS[1]} in\n"
    for subcommand in Subcommand.all {
      let operand = Value(operandsOf: subcommand)
      // Behind the word that says what to do there are names, or files.
      let place = if case .words = operand { "2" } else { "*" }
      text += "    \(subcommand.name)) case $COMP_CWORD in\n"
      text += "      \(place)) \(bashReply(operand)) ;;\n"
      if place == "2" { text += "      *) \(bashReply(.file)) ;;\n" }
      text += "    esac ;;\n"
    }
    return text + "  esac\n}\ncomplete -o filenames -F _binnacle binnacle\n"
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
      let operand = Value(operandsOf: subcommand)
      let position = if case .words = operand { "1" } else { "*" }
      text += "    \(subcommand.name)) _arguments \\\n      "
      text += specifications.joined(separator: " \\\n      ")
      text += " \\\n      '\(position):operand:\(zshAction(operand))'"
      text += position == "1" ? " '*:operand:_files' ;;\n" : " ;;\n"
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
      text += fishOperand(subcommand).map { "\(start) \($0)\n" } ?? ""
    }
    return text
  }

  /// `nil` where files are what fish offers by itself.
  private static func fishOperand(_ subcommand: Subcommand) -> String? {
    let seen = "__fish_seen_subcommand_from"
    let condition = "\(seen) \(subcommand.name)"
    switch Value(operandsOf: subcommand) {
    case .file, .folder: return nil
    case .none: return "-n '\(condition)' -f"
    case .port: return "-n '\(condition)' -f -a \(quoted("(ls \(portGlob) 2>/dev/null)"))"
    case .words(let words):
      let list = words.joined(separator: " ")
      return "-n '\(condition); and not \(seen) \(list)' -f -a \(quoted(list))"
    }
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

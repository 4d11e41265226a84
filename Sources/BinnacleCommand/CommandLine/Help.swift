/// The help texts, made from the option tables.
enum Help {

  /// `binnacle --help`
  static var overview: String {
    let width = Subcommand.all.map(\.name.count).max() ?? 0
    let list = Subcommand.all.map { "  \(padded($0.name, to: width + 2))\($0.summary)" }
    return """
      usage: binnacle COMMAND [OPTION ...] [OPERAND ...]

      GNSS receiver driver, location service and crash-proof track logger.

      \(list.joined(separator: "\n"))

      'binnacle COMMAND --help' tells more of each; 'binnacle --version' the version.
      Options are written --key value or --key=value, and stand anywhere; -- ends them.
      Exit codes: 0 ok, 1 failed, 2 usage, 3 nothing found or no fix in time.
      """
  }

  /// `binnacle COMMAND --help`
  static func text(of subcommand: Subcommand) -> String {
    let operands = subcommand.operands.isEmpty ? "" : " \(subcommand.operands)"
    var parts = [
      "usage: binnacle \(subcommand.name) [OPTION ...]\(operands)", subcommand.details,
      optionList(of: subcommand),
    ]
    if !subcommand.examples.isEmpty {
      let lines = subcommand.examples.map { "  \($0.command)\n      \($0.does)" }
      parts.append("Examples:\n" + lines.joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }

  private static func optionList(of subcommand: Subcommand) -> String {
    let rows = subcommand.options.map { option in
      ("--\(option.name)" + (option.valueName.map { " \($0)" } ?? ""), help(of: option))
    }
    let all = rows + [("--help", "Print this text")]
    let width = min(all.map(\.0.count).max() ?? 0, 26) + 2
    return all.map { left, right in
      let lines = wrapped(right, width: 78 - width)
      let head =
        left.count < width
        ? "  \(padded(left, to: width))\(lines.first ?? "")"
        : "  \(left)\n  \(padded("", to: width))\(lines.first ?? "")"
      return ([head] + lines.dropFirst().map { "  \(padded("", to: width))\($0)" })
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }

  static func help(of option: Option) -> String {
    option.choices.isEmpty
      ? option.help : "\(option.help): \(option.choices.joined(separator: ", "))"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

/// An option of a subcommand. Parsing, `--help`, the manual page and the completions all
/// read these.
struct Option: Sendable {
  /// Without the leading dashes.
  let name: String
  /// What stands for the value in the help; `nil` makes it a switch.
  var valueName: String? = nil
  /// One line or two, without a full stop at the end.
  let help: String
  /// The values it takes where these are few: shown in errors and completed in the shell.
  var choices: [String] = []
  /// Whether it may be given more than once.
  var isRepeatable = false

  init(
    _ name: String, _ valueName: String? = nil, choices: [String] = [], isRepeatable: Bool = false,
    help: String
  ) {
    (self.name, self.valueName, self.help) = (name, valueName, help)
    (self.choices, self.isRepeatable) = (choices, isRepeatable)
  }
}

/// What the program ends with. See `binnacle --help`.
enum ExitCode: Int32 {
  case ok = 0
  case failed = 1
  case usage = 2
  /// Nothing matched, or no fix came in time.
  case nothingFound = 3
}

/// Why a subcommand ended early. The text is one line that names the thing and the next step.
enum CommandError: Error, Equatable {
  case failed(String)
  case usage(String)
  case nothingFound(String)

  var exitCode: ExitCode {
    switch self {
    case .failed: .failed
    case .usage: .usage
    case .nothingFound: .nothingFound
    }
  }

  var message: String {
    switch self {
    case .failed(let text), .usage(let text), .nothingFound(let text): text
    }
  }
}

/// One of the things that `binnacle` does.
struct Subcommand: Sendable {
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// How the operands stand in the usage line, such as `FILE...`; empty where there are none.
  var operands = ""
  /// Paragraphs for `--help` and the manual page, wrapped at 80 columns.
  let details: String
  let options: [Option]
  /// Lines to try, each with what it does.
  var examples: [(command: String, does: String)] = []
  let run: @Sendable (Invocation) throws(CommandError) -> ExitCode
}

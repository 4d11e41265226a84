import Bytes
import Glibc
import LinuxIO

/// The `binnacle` program: finds the subcommand, runs it, and maps what came of it to an exit code.
@main
enum Main {
  static func main() {
    signal(SIGPIPE, SIG_IGN)  // the write says so, and the program ends quietly
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static func run(_ arguments: [String]) -> ExitCode {
    guard let name = arguments.first else {
      StandardError.line(Help.overview)
      return .usage
    }
    do throws(CommandError) {
      switch name {
      case "--help", "-h", "help":
        let topic = arguments.dropFirst().first
        try show(topic.flatMap { find($0) }.map(Help.text(of:)) ?? Help.overview)
        return .ok
      case "--version":
        try show("binnacle \(Build.version)")
        return .ok
      default:
        guard let subcommand = find(name) else {
          throw .usage("\(name): unknown command; see 'binnacle --help'")
        }
        return try run(subcommand, Array(arguments.dropFirst()))
      }
    } catch {
      StandardError.line("binnacle: \(error.message)", .error)
      return error.exitCode
    }
  }

  private static func run(_ subcommand: Subcommand, _ arguments: [String]) throws(CommandError)
    -> ExitCode
  {
    let beforeOperandsOnly = arguments.prefix { $0 != "--" }
    if beforeOperandsOnly.contains("--help") || beforeOperandsOnly.contains("-h") {
      try show(Help.text(of: subcommand))
      return .ok
    }
    return try subcommand.run(Invocation(of: subcommand, parsing: arguments))
  }

  private static func find(_ name: String) -> Subcommand? {
    Subcommand.all.first { $0.name == name }
  }

  private static func show(_ text: String) throws(CommandError) {
    var buffer = OutputBuffer()
    buffer.append(text: text + "\n")
    do throws(Errno) {
      try StandardOutput.write(buffer)
    } catch {
      throw .failed("standard output: \(error.text)")
    }
  }
}

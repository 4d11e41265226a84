import Bytes
import Glibc
import LinuxIO

/// `binnacle-bench`: measures the product and its peers in turn on the same bytes, and holds the
/// result against the goals.
@main
enum Main {
  static func main() {
    // A client that is dropped and a reader that went away are no reason to end.
    signal(SIGPIPE, SIG_IGN)
    do throws(BenchError) {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.first == Worker.name { return try Worker.run(Array(arguments.dropFirst())) }
      guard let options = try Options(arguments) else { return try show(Options.help) }
      try show(run(options))
    } catch {
      StandardError.line("binnacle-bench: \(error.message)")
      exit(error.isUsage ? 2 : 1)
    }
  }

  /// Measures what is asked for, and returns the report.
  private static func run(_ options: Options) throws(BenchError) -> String {
    let bench = try Bench(options)
    for group in GoalGroup.all where !group.ids.isDisjoint(with: options.goals) {
      StandardError.line("binnacle-bench: \(group.name)")
      try group.run(bench)
    }
    return options.isJSON ? bench.results.json : bench.results.text
  }

  private static func show(_ text: String) throws(BenchError) {
    var output = OutputBuffer()
    output.append(text: text)
    do throws(Errno) { try StandardOutput.write(output) } catch {
      throw BenchError("standard output: \(error.text)")
    }
  }
}

/// Why nothing could be measured.
struct BenchError: Error {
  let message: String
  var isUsage = false

  init(_ message: String, isUsage: Bool = false) {
    (self.message, self.isUsage) = (message, isUsage)
  }
}

/// Goals that are measured together.
struct GoalGroup: Sendable {
  let name: String
  let ids: Set<Int>
  let run: @Sendable (Bench) throws(BenchError) -> Void

  static let all = [
    GoalGroup(name: "decoding (P1 to P4)", ids: [1, 2, 3, 4], run: measureDecoding),
    GoalGroup(name: "JSON (P5)", ids: [5], run: measureJSON),
    GoalGroup(name: "instructions and allocations (P16)", ids: [16], run: measureInstructions),
    GoalGroup(
      name: "daemons at line pace (P7, P8, P10)", ids: [7, 8, 10], run: measureAtLinePace),
    GoalGroup(
      name: "daemons flat out, export, log (P6, P9, P11, P13)", ids: [6, 9, 11, 13],
      run: measureFlatOut),
    GoalGroup(name: "first fix (P12)", ids: [12], run: measureFirstFix),
    GoalGroup(name: "power cut (P14)", ids: [14], run: measureDurability),
    GoalGroup(name: "slow client (P15)", ids: [15], run: measureSlowClient),
  ]
}

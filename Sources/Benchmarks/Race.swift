import Glibc
import LinuxIO

/// Contenders that run in turn, each once in every round.
struct Race {
  struct Contender {
    let name: String
    /// What it works on, in megabytes.
    let megabytes: Double
    /// Does the work once; returns the processor time it took, in seconds.
    let run: () throws(BenchError) -> Double
  }

  let name: String
  private var contenders: [Contender] = []
  private(set) var seconds: [String: Samples] = [:]

  init(_ name: String) { self.name = name }

  mutating func add(
    _ name: String, megabytes: Double, run: @escaping () throws(BenchError) -> Double
  ) {
    contenders.append(Contender(name: name, megabytes: megabytes, run: run))
  }

  /// Work in this process.
  mutating func add(_ name: String, megabytes: Double, work: @escaping () -> Void) {
    add(name, megabytes: megabytes) { () throws(BenchError) -> Double in
      let start = Self.processorSeconds()
      work()
      return Self.processorSeconds() - start
    }
  }

  /// Work of another program.
  mutating func add(
    _ name: String, megabytes: Double, command: [String], input: String = "/dev/null",
    variables: [String] = []
  ) {
    add(name, megabytes: megabytes) { () throws(BenchError) -> Double in
      let cost = try ChildProcess(command, input: input, variables: variables).wait()
      guard cost.exitCode == 0 else {
        throw BenchError("\(command.joined(separator: " ")): exit code \(cost.exitCode)")
      }
      return cost.seconds
    }
  }

  /// Runs all of them, and adds a table of megabytes per second of processor time.
  mutating func run(_ bench: Bench) throws(BenchError) {
    bench.results.machine.noteLoad()
    for _ in 0..<bench.options.rounds {
      for contender in contenders {
        seconds[contender.name, default: Samples()].append(try contender.run())
      }
    }
    var table = Results.Table(name: "\(name), per second of processor time")
    for contender in contenders {
      let rate = (seconds[contender.name] ?? Samples()).map { contender.megabytes / $0 }
      table.rows.append(.init(contender: contender.name, unit: "MB/s", samples: rate))
    }
    bench.results.add(table)
  }

  /// How much faster `one` is than `other`, round by round, for the same number of bytes; empty
  /// where one of them did not run.
  func ratio(_ one: String, to other: String) -> Samples {
    guard let mine = rates(one), let others = rates(other) else { return Samples() }
    return mine / others
  }

  private func rates(_ name: String) -> Samples? {
    guard let samples = seconds[name],
      let contender = contenders.first(where: { $0.name == name })
    else { return nil }
    return samples.map { contender.megabytes / $0 }
  }

  static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

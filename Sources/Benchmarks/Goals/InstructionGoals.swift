import GNSSWire
import LinuxIO

/// P16: instructions for a byte and allocations for an epoch, which do not swing with the machine.
/// Two slices of different length are counted, so that the start of the program cancels.
func measureInstructions(_ bench: Bench) throws(BenchError) {
  var goal = GoalResult(id: 16, title: "instructions per byte, allocations", clauses: [])
  guard bench.has("valgrind", from: "Debian's valgrind") else { return bench.results.add(goal) }
  bench.results.machine.noteLoad()
  var rows = Results.Table(name: "counted with valgrind")
  let nmea = SyntheticNMEA.corpus(
    "synth10hz", byteCount: Counter.byteCount, step: .milliseconds(100))
  let ubx = SyntheticUBX.corpus(byteCount: Counter.byteCount)
  for (corpus, name, gate, target) in [(nmea, "NMEA", 32.0, 20.0), (ubx, "UBX", 14, 8)] {
    let counter = Counter(bench, try bench.file(of: corpus), corpus)
    let instructions = try counter.instructionsPerByte("decode")
    goal.clauses.append(
      .atMost(
        "\(name) decode", Samples([instructions]), unit: "instructions/B", gate: gate,
        target: target))
    let allocations = try counter.allocationsPerEpoch("json")
    goal.clauses.append(
      .atMost(
        "\(name) decode and JSON", Samples([allocations]), unit: "allocations/epoch", gate: 0,
        target: 0))
    let writing = try counter.instructionsPerByte("json")
    rows.rows.append(
      .init(
        contender: "\(corpus.name), decode and JSON", unit: "instructions/B",
        samples: Samples([writing])))
  }
  bench.results.add(rows)
  bench.results.add(goal)
}

/// Counts what the worker does between the first 300 kB and 900 kB of a file.
private struct Counter {
  static let byteCount = 1_000_000

  let bench: Bench
  let path: String
  /// Ends of epochs, in bytes.
  let short: Int
  let long: Int
  let epochCount: Int

  init(_ bench: Bench, _ path: String, _ corpus: Corpus) {
    (self.bench, self.path) = (bench, path)
    let ends = corpus.epochs.map(\.end)
    let (first, last) = (ends.count { $0 < 300_000 }, ends.count { $0 < 900_000 })
    (short, long, epochCount) = (ends[first], ends[last], last - first)
  }

  func instructionsPerByte(_ work: String) throws(BenchError) -> Double {
    let tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
    let span =
      try count(tool, work, long, key: "Collected")
      - count(tool, work, short, key: "Collected")
    return Double(span) / Double(long - short)
  }

  func allocationsPerEpoch(_ work: String) throws(BenchError) -> Double {
    let tool = ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"]
    let span =
      try count(tool, work, long, key: "total heap usage")
      - count(tool, work, short, key: "total heap usage")
    return Double(span) / Double(epochCount)
  }

  /// The number behind `key` in what valgrind says at the end.
  private func count(
    _ tool: [String], _ work: String, _ byteCount: Int, key: String
  ) throws(BenchError) -> Int {
    let log = "\(bench.folder)/valgrind"
    let command =
      ["valgrind"] + tool + ["--log-file=\(log)", bench.worker, Worker.name, work, path]
    let code = try ChildProcess(command + ["\(byteCount)"]).wait().exitCode
    for line in (smallFile(log) ?? "").split(separator: "\n") {
      let words = line.split(separator: " ").dropFirst().joined(separator: " ")
      guard words.hasPrefix(key) else { continue }
      let number = words.dropFirst(key.count).drop { !$0.isNumber }
      let digits = number.prefix { $0.isNumber || $0 == "," }.filter { $0 != "," }
      return Int(digits) ?? 0
    }
    throw BenchError("valgrind: exit code \(code), and no count of \(key)")
  }
}

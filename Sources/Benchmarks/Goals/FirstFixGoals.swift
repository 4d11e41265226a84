import GNSS
import LinuxIO

/// P12: from the start of the program to the first report with a position, on a line where a
/// receiver already talks.
func measureFirstFix(_ bench: Bench) throws(BenchError) {
  bench.results.machine.noteLoad()
  var goal = GoalResult(id: 12, title: "start to first complete fix", clauses: [])
  var kinds: [Contestant.Kind] = [.binnacle]
  if bench.has("gpsd", from: "Debian's gpsd") { kinds.append(.gpsd) }
  let scenes: [(String, Corpus, Stage.Pace)] = [
    (
      "10 Hz NMEA", bench.synth10hz,
      .init(pieceByteCount: 16, baud: 115_200, period: .milliseconds(100))
    ),
    (
      "25 Hz UBX", bench.synthPVT,
      .init(pieceByteCount: 64, baud: 921_600, period: .milliseconds(40))
    ),
  ]
  for (name, corpus, pace) in scenes {
    var times: [Contestant.Kind: Samples] = [:]
    for round in 0..<bench.options.rounds {
      for kind in kinds {
        // Not always at the same place in an epoch.
        let wait = pace.period * (Double(round) / Double(bench.options.rounds))
        let time = try firstFix(of: kind, on: corpus, at: pace, after: wait, bench)
        times[kind, default: Samples()].append(time * 1000)
      }
    }
    var table = Results.Table(name: "start to first fix, \(name)")
    for kind in kinds {
      table.rows.append(
        .init(contender: kind.rawValue, unit: "ms", samples: times[kind] ?? Samples()))
    }
    bench.results.add(table)
    let ratio = (times[.binnacle] ?? Samples()) / (times[.gpsd] ?? Samples())
    goal.clauses.append(.atMost("\(name), of gpsd's", ratio, gate: 0.3, target: 0.1))
  }
  bench.results.add(goal)
}

/// In seconds.
private func firstFix(
  of kind: Contestant.Kind, on corpus: Corpus, at pace: Stage.Pace, after wait: Duration,
  _ bench: Bench
) throws(BenchError) -> Double {
  let stage = try Stage()
  let contestant = try Contestant(kind, baud: pace.baud, bench)
  try contestant.prepare()
  // Nobody reads the line yet; what piles up there is old when the program starts, so nothing does.
  let start = Clocks.monotonic() + wait
  var isConnected = false
  var isStarted = false
  _ = try stage.play(corpus, epochs: 0..<(corpus.epochs.count / 2), at: pace, to: [contestant]) {
    () throws(BenchError) -> Bool in
    if !isStarted, Clocks.monotonic() >= start {
      isStarted = true
      try contestant.start()
    }
    if isStarted, !isConnected, contestant.connect() {
      isConnected = true
      try stage.listen(to: contestant)
    }
    return contestant.client?.firstFix != nil
      || Clocks.monotonic() - start > .seconds(10)
  }
  defer { stage.stop(contestant) }
  guard let fix = contestant.client?.firstFix else {
    throw BenchError("\(kind.rawValue): no fix within ten seconds; \(contestant.messages)")
  }
  return (fix - contestant.started).inSeconds
}

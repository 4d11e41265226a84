import GNSS
import LinuxIO

/// P7, P8 and P10: what daemons cost at the pace of a line with one client, and how soon it hears.
func measureAtLinePace(_ bench: Bench) throws(BenchError) {
  var (cpu, wakeUps, latency): ([Clause], [Clause], [Clause]) = ([], [], [])
  for scene in [Scene.slow(bench), Scene.fast(bench), Scene.crowded(bench)] {
    let outcome = try scene.play(bench)
    guard let ours = outcome[.binnacle] else { continue }
    let (peer, saving) = (outcome[.gpsd], outcome[.powerSaving])
    func ratio(_ one: Outcome?, _ pick: (Outcome) -> Samples) -> Samples {
      guard let one, let peer else { return Samples() }
      return pick(one) / pick(peer)
    }
    let line = scene.name
    cpu.append(
      .atMost("\(line), of gpsd's", ratio(ours, \.seconds), gate: 0.8, target: 0.45))
    wakeUps.append(
      .atMost("\(line), of gpsd's", ratio(ours, \.wakeUps), gate: 1.2, target: 1))
    wakeUps.append(
      .atMost(
        "\(line), power-saving, of gpsd's", ratio(saving, \.wakeUps), gate: 0.5, target: 0.25))
    latency.append(
      .atMost(
        "\(line), median", ours.latencyMedian, unit: "ms", gate: 1, target: 0.3))
    latency.append(
      .atMost("\(line), 99 of 100", ours.latencyTail, unit: "ms", gate: 5, target: 5))
  }
  bench.results.add(
    GoalResult(id: 7, title: "daemon's processor time, with the log", clauses: cpu))
  bench.results.add(GoalResult(id: 8, title: "wake-ups per epoch", clauses: wakeUps))
  bench.results.add(
    GoalResult(
      id: 10, title: "last byte of an epoch to the client's report", clauses: latency,
      note: "gpsd reports before the epoch is complete"))
}

/// What a daemon needed in each round.
private struct Outcome {
  /// For an epoch, in seconds.
  var seconds = Samples()
  /// For an epoch.
  var wakeUps = Samples()
  /// In milliseconds, of each round.
  var latencyMedian = Samples()
  var latencyTail = Samples()
}

/// A receiver on a line.
private struct Scene {
  let name: String
  let corpus: Corpus
  let pace: Stage.Pace
  let warmUpEpochCount: Int
  let epochCount: Int
  var clientCount = 1

  /// 9600 baud, 1 epoch a second of NMEA in pieces of 16 bytes, as UARTs with a FIFO hand them on.
  static func slow(_ bench: Bench) -> Scene {
    Scene(
      name: "9600 baud 1 Hz", corpus: bench.synth1hz,
      pace: .init(pieceByteCount: 16, baud: 9600, period: .seconds(1)), warmUpEpochCount: 34,
      epochCount: 12)
  }

  /// 921600 baud, 25 epochs a second of UBX in pieces of 64 bytes, as full-speed USB has them.
  static func fast(_ bench: Bench) -> Scene {
    Scene(
      name: "921600 baud 25 Hz", corpus: bench.synthPVT,
      pace: .init(pieceByteCount: 64, baud: 921_600, period: .milliseconds(40)),
      warmUpEpochCount: 100, epochCount: 250)
  }

  /// 115200 baud, 10 epochs a second of NMEA, and five clients.
  static func crowded(_ bench: Bench) -> Scene {
    Scene(
      name: "115200 baud 10 Hz, five clients", corpus: bench.synth10hz,
      pace: .init(pieceByteCount: 16, baud: 115_200, period: .milliseconds(100)),
      warmUpEpochCount: 60, epochCount: 100, clientCount: 5)
  }

  /// All daemons run all the time; in each round they are fed in turn.
  func play(_ bench: Bench) throws(BenchError) -> [Contestant.Kind: Outcome] {
    bench.results.machine.noteLoad()
    let stage = try Stage()
    var kinds: [Contestant.Kind] = [.binnacle, .powerSaving]
    if bench.has("gpsd", from: "Debian's gpsd") { kinds.append(.gpsd) }
    var (contestants, others): ([Contestant], [ReportClient]) = ([], [])
    for kind in kinds {
      let contestant = try Contestant(kind, baud: pace.baud, bench)
      try stage.start(contestant)
      contestants.append(contestant)
      for _ in 1..<clientCount {
        guard let client = ReportClient(port: contestant.port) else {
          throw BenchError("\(kind.rawValue): takes no more clients")
        }
        try stage.listen(to: client)
        others.append(client)
      }
    }
    var next = warmUpEpochCount
    try stage.play(corpus, epochs: 0..<next, at: pace, to: contestants)
    var outcomes: [Contestant.Kind: Outcome] = [:]
    for _ in 0..<bench.options.rounds {
      for contestant in contestants {
        let epochs = next..<(next + epochCount)
        try measure(contestant, epochs, on: stage, &outcomes[contestant.kind, default: Outcome()])
        next = epochs.upperBound
      }
    }
    bench.results.machine.noteLoad()
    report(outcomes, kinds, bench)
    for contestant in contestants { stage.stop(contestant) }
    withExtendedLifetime(others) {}
    return outcomes
  }

  private func measure(
    _ contestant: Contestant, _ epochs: Range<Int>, on stage: Stage, _ outcome: inout Outcome
  ) throws(BenchError) {
    contestant.client?.forget()
    let before = contestant.figures
    let sent = try stage.play(corpus, epochs: epochs, at: pace, to: [contestant])
    let after = contestant.figures
    let count = Double(epochs.count)
    outcome.seconds.append((after.seconds - before.seconds) / count)
    outcome.wakeUps.append(Double(after.wakeUps - before.wakeUps) / count)
    var latencies = Samples()
    for (time, instant) in sent {
      guard let heard = contestant.client?.heard[time] else { continue }
      latencies.append((heard - instant).inSeconds * 1000)
    }
    // An epoch that is not told is no quick one.
    guard latencies.values.count * 10 >= epochs.count * 9 else {
      throw BenchError(
        "\(contestant.kind.rawValue): told of \(latencies.values.count) of \(epochs.count) epochs")
    }
    outcome.latencyMedian.append(latencies.median)
    outcome.latencyTail.append(latencies.quantile(0.99))
  }

  private func report(
    _ outcomes: [Contestant.Kind: Outcome], _ kinds: [Contestant.Kind], _ bench: Bench
  ) {
    var table = Results.Table(name: "daemons, \(name)")
    for kind in kinds {
      guard let outcome = outcomes[kind] else { continue }
      let name = kind.rawValue
      table.rows += [
        .init(
          contender: name, unit: "us of processor time/epoch",
          samples: outcome.seconds.map { $0 * 1e6 }),
        .init(
          contender: name, unit: "s of processor time/hour",
          samples: outcome.seconds.map { $0 * 3600 / pace.period.inSeconds }),
        .init(contender: name, unit: "wake-ups/epoch", samples: outcome.wakeUps),
        .init(contender: name, unit: "ms to the report, median", samples: outcome.latencyMedian),
        .init(contender: name, unit: "ms to the report, 99 of 100", samples: outcome.latencyTail),
      ]
    }
    bench.results.add(table)
  }
}

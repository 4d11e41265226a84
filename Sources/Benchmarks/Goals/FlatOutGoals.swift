import Bytes
import GNSS
import LinuxIO

/// P6, P9, P11 and P13: a daemon that is fed as fast as it reads, its memory, and the log it
/// leaves.
func measureFlatOut(_ bench: Bench) throws(BenchError) {
  let goals = bench.options.goals
  let hasPeer = bench.has("gpsd", from: "Debian's gpsd")
  if goals.contains(9) { try measureDraining(bench, hasPeer: hasPeer) }
  if goals.contains(11) { try measureMemory(bench, hasPeer: hasPeer) }
  guard goals.contains(6) || goals.contains(13) else { return }
  let stage = try Stage()
  let logger = try Contestant(.binnacle, baud: 115_200, bench)
  try stage.start(logger)
  _ = try stage.drain(bench.synth10hz, bench.synth10hz.bytes.indices, by: logger)
  stage.stop(logger)
  if goals.contains(6) { try measureExport(bench, ring: logger.ring) }
  if goals.contains(13) { try measureLogSize(bench, ring: logger.ring, hasPeer: hasPeer) }
}

// MARK: Draining

private func measureDraining(_ bench: Bench, hasPeer: Bool) throws(BenchError) {
  bench.results.machine.noteLoad()
  var goal = GoalResult(id: 9, title: "flat out, one client", clauses: [])
  let kinds: [Contestant.Kind] = hasPeer ? [.binnacle, .gpsd] : [.binnacle]
  for corpus in [bench.synth10hz, bench.synthPVT] {
    var rates: [Contestant.Kind: Samples] = [:]
    var table = Results.Table(name: "daemons, flat out, \(corpus.name)")
    var told: [Contestant.Kind: Samples] = [:]
    for _ in 0..<bench.options.rounds {
      for kind in kinds {
        let (rate, share) = try drain(corpus, by: kind, bench)
        rates[kind, default: Samples()].append(rate)
        told[kind, default: Samples()].append(share)
      }
    }
    for kind in kinds {
      table.rows += [
        .init(
          contender: kind.rawValue, unit: "MB/s of processor time",
          samples: rates[kind] ?? Samples()),
        .init(
          contender: kind.rawValue, unit: "% of the epochs told", samples: told[kind] ?? Samples()),
      ]
    }
    bench.results.add(table)
    let ratio = (rates[.binnacle] ?? Samples()) / (rates[.gpsd] ?? Samples())
    goal.clauses.append(.atLeast("\(corpus.name), of gpsd", ratio, gate: 3, target: 5))
  }
  bench.results.add(goal)
}

/// Megabytes for a second of processor time, and the share of epochs that the client heard of.
private func drain(
  _ corpus: Corpus, by kind: Contestant.Kind, _ bench: Bench
) throws(BenchError) -> (rate: Double, share: Double) {
  let stage = try Stage()
  let contestant = try Contestant(kind, baud: 115_200, bench)
  try stage.start(contestant)
  let before = contestant.figures.seconds
  _ = try stage.drain(corpus, corpus.bytes.indices, by: contestant)
  let seconds = contestant.figures.seconds - before
  let heard = contestant.client?.heard.count ?? 0
  stage.stop(contestant)
  return (corpus.megabytes / seconds, Double(heard) / Double(corpus.epochs.count) * 100)
}

// MARK: Memory

/// An hour's worth of 25 epochs a second.
private func measureMemory(_ bench: Bench, hasPeer: Bool) throws(BenchError) {
  let hour = SyntheticUBX.corpus(byteCount: 90_000 * 538)
  let kinds: [Contestant.Kind] = hasPeer ? [.binnacle, .gpsd] : [.binnacle]
  var table = Results.Table(name: "memory of daemons, one client, 90,000 epochs of UBX")
  var figures: [Contestant.Kind: (early: ProcessFigures, late: ProcessFigures)] = [:]
  for kind in kinds {
    let stage = try Stage()
    let contestant = try Contestant(kind, baud: 921_600, bench)
    try stage.start(contestant)
    let early = try figuresOf(contestant, after: 0..<15_000, of: hour, on: stage)
    let rest = 15_000..<hour.epochs.count
    let late = try figuresOf(contestant, after: rest, of: hour, on: stage)
    stage.stop(contestant)
    figures[kind] = (early, late)
    for (unit, value) in [
      ("kB after 10 minutes", early.residentKilobytes),
      ("kB after an hour", late.residentKilobytes), ("kB of that its own", late.ownKilobytes),
    ] {
      table.rows.append(
        .init(contender: kind.rawValue, unit: unit, samples: Samples([Double(value)])))
    }
  }
  bench.results.add(table)
  guard let ours = figures[.binnacle] else { return }
  let ratio =
    figures[.gpsd].map {
      [Double(ours.late.residentKilobytes) / Double(max($0.late.residentKilobytes, 1))]
    } ?? []
  let growth = ours.late.ownKilobytes - ours.early.ownKilobytes
  bench.results.add(
    GoalResult(
      id: 11, title: "resident memory after an hour of 25 Hz",
      clauses: [
        .atMost("of gpsd's", Samples(ratio), gate: 1.6, target: 1.2),
        // Four pages: as exact as the kernel counts.
        .atMost(
          "growth of its own in 50 minutes", Samples([Double(growth)]), unit: "kB",
          gate: 64, target: 16),
      ]))
}

/// After these epochs: all as fast as they are read but for the last ten seconds, in which a daemon
/// can give back what only the rush needed.
private func figuresOf(
  _ contestant: Contestant, after epochs: Range<Int>, of corpus: Corpus, on stage: Stage
) throws(BenchError) -> ProcessFigures {
  let paced = epochs.suffix(250)
  let start = epochs.lowerBound == 0 ? 0 : corpus.epochs[epochs.lowerBound - 1].end
  let end = corpus.epochs[paced.lowerBound - 1].end
  _ = try stage.drain(corpus, start..<end, by: contestant)
  let pace = Stage.Pace(pieceByteCount: 64, baud: 921_600, period: .milliseconds(40))
  try stage.play(corpus, epochs: paced, at: pace, to: [contestant])
  return contestant.figures
}

// MARK: Export

/// Our log to GPX, against the sentences it was made from by gpsbabel.
private func measureExport(_ bench: Bench, ring: String) throws(BenchError) {
  let corpus = bench.synth10hz
  var race = Race("to GPX, \(corpus.epochs.count) fixes, in MB of the NMEA they came as")
  let ours = [bench.binnacle, "log-dump", "--log", ring, "--format", "gpx"]
  race.add("binnacle log-dump", megabytes: corpus.megabytes, command: ours)
  if bench.has("gpsbabel", from: "Debian's gpsbabel") {
    let path = try bench.file(of: corpus)
    race.add(
      "gpsbabel", megabytes: corpus.megabytes,
      command: ["gpsbabel", "-t", "-i", "nmea", "-f", path, "-o", "gpx", "-F", "/dev/null"])
  }
  try race.run(bench)
  // Of a log a quarter as long.
  let quarter = corpus.epochs[corpus.epochs.count / 4].time
  let short = try ChildProcess(ours + ["--until", quarter]).wait().peakKilobytes
  let long = try ChildProcess(ours).wait().peakKilobytes
  bench.results.add(
    GoalResult(
      id: 6, title: "whole log to GPX",
      clauses: [
        .atLeast(
          "of gpsbabel", race.ratio("binnacle log-dump", to: "gpsbabel"), gate: 6, target: 15),
        .atMost(
          "memory for four times the fixes", Samples([Double(long) / Double(max(short, 1))]),
          gate: 1.3, target: 1.1),
      ]))
}

// MARK: Size of the log

private func measureLogSize(_ bench: Bench, ring: String, hasPeer: Bool) throws(BenchError) {
  let path = "\(bench.folder)/check"
  _ = try ChildProcess(
    [bench.binnacle, "log-check", "--log", ring, "--format", "json"], output: .file(path)
  ).wait()
  var table = Results.Table(name: "size of logs")
  let ours = number(behind: #""bytes_per_fix":"#, in: smallFile(path) ?? "")
  table.rows.append(
    .init(contender: "binnacle", unit: "bytes/fix", samples: Samples([ours ?? .nan])))
  var theirs: Double?
  if hasPeer, bench.has("gpxlogger", from: "Debian's gpsd-clients") {
    theirs = try gpxloggerBytesPerFix(bench)
    table.rows.append(
      .init(
        contender: "gpsd and gpxlogger", unit: "bytes/fix", samples: Samples([theirs ?? .nan])))
  }
  if bench.has("sqlite3", from: "Debian's sqlite3") {
    table.rows.append(
      .init(
        contender: "sqlite3, all columns of the CSV", unit: "bytes/fix",
        samples: Samples([try sqliteBytesPerFix(bench, ring: ring)])))
  }
  bench.results.add(table)
  var clauses: [Clause] = [
    .atMost("our own", Samples(ours.map { [$0] } ?? []), unit: "bytes", gate: 58, target: 28)
  ]
  if let ours, let theirs {
    clauses.append(
      .atMost("of gpxlogger's", Samples([ours / theirs]), gate: 0.25, target: 0.12))
  }
  bench.results.add(GoalResult(id: 13, title: "bytes in the log for a fix", clauses: clauses))
}

private func number(behind key: String, in text: String) -> Double? {
  let (text, key) = (Array(text.utf8), Array(key.utf8))
  guard text.count > key.count else { return nil }
  let start = (0...(text.count - key.count)).first { text[$0...].starts(with: key) }
  return start.flatMap { start in
    let digits = text[(start + key.count)...].prefix { $0 == 46 || (48...57).contains($0) }
    return Double(String(decoding: digits, as: UTF8.self))
  }
}

/// Attaches gpxlogger to a gpsd for ten seconds of 25 epochs a second.
private func gpxloggerBytesPerFix(_ bench: Bench) throws(BenchError) -> Double {
  let stage = try Stage()
  let gpsd = try Contestant(.gpsd, baud: 921_600, bench)
  try stage.start(gpsd)
  let path = "\(bench.folder)/gpxlogger.gpx"
  let logger = try ChildProcess(["gpxlogger", "-f", path, "127.0.0.1:\(gpsd.port)"])
  try stage.wait(until: Clocks.monotonic() + .milliseconds(500))
  let pace = Stage.Pace(pieceByteCount: 64, baud: 921_600, period: .milliseconds(40))
  try stage.play(bench.synthPVT, epochs: 0..<250, at: pace, to: [gpsd])
  logger.end(with: 15)
  stage.stop(gpsd)
  let points = lineCount(of: path, beginningWith: "<trkpt")
  return points == 0 ? .nan : Double(byteCount(of: path)) / Double(points)
}

/// A table with every column of our CSV, each in SQLite's own form.
private func sqliteBytesPerFix(_ bench: Bench, ring: String) throws(BenchError) -> Double {
  let (text, database) = ("\(bench.folder)/fixes.csv", "\(bench.folder)/fixes.db")
  _ = try ChildProcess(
    [bench.binnacle, "log-dump", "--log", ring, "--format", "csv"], output: .file(text)
  ).wait()
  _ = try ChildProcess([
    "sqlite3", database, ".mode csv", ".import \(text) text",
    "create table fixes as select * from text; drop table text; vacuum;",
  ]).wait()
  return Double(byteCount(of: database)) / Double(bench.synth10hz.epochs.count)
}

/// How many lines of a file begin so, white space aside.
func lineCount(of path: String, beginningWith start: String) -> Int {
  (smallFile(path, byteLimit: 1 << 30) ?? "").split(separator: "\n")
    .count { $0.drop { $0 == " " || $0 == "\t" }.hasPrefix(start) }
}

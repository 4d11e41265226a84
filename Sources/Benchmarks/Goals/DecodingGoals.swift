import Bytes
import CBaselines
import GNSS
import GNSSWire

/// What the decoder is called in the tables.
let product = "binnacle"

/// P1 to P4: streams to epochs, through the decoder's own interface.
func measureDecoding(_ bench: Bench) throws(BenchError) {
  let wanted = bench.options.goals
  if wanted.contains(1) {
    let (clauses, _) = try race(bench, bench.synth10hz, .nmea, goals: .p1)
    bench.results.add(GoalResult(id: 1, title: "NMEA decode, synth10hz", clauses: clauses))
  }
  if wanted.contains(2) { try measureRealNMEA(bench) }
  if wanted.contains(3) {
    let (clauses, _) = try race(bench, bench.synthPVT, .ubx, goals: .p3)
    bench.results.add(GoalResult(id: 3, title: "UBX decode, synth-pvt", clauses: clauses))
    if let ubx = bench.real.ubx { _ = try race(bench, ubx, .ubx, goals: .p3) }
  }
  if wanted.contains(4) {
    let (clauses, _) = try race(bench, bench.synthMixed, .none, goals: .p4)
    bench.results.add(
      GoalResult(id: 4, title: "NMEA, UBX and RTCM 3 mixed", clauses: clauses))
    if let mixed = bench.real.mixed { _ = try race(bench, mixed, .none, goals: .p4) }
  }
}

/// The gates and targets of a corpus: against the C baseline and against gpsdecode.
private struct DecodingBounds {
  var baseline = (gate: 0.0, target: 0.0)
  var gpsdecode: (gate: Double, target: Double)

  static let p1 = DecodingBounds(baseline: (0.55, 0.9), gpsdecode: (11, 20))
  static let p2 = DecodingBounds(baseline: (0.5, 0.85), gpsdecode: (12, 24))
  static let p3 = DecodingBounds(baseline: (0.45, 0.8), gpsdecode: (12, 23))
  static let p4 = DecodingBounds(gpsdecode: (5, 10))
}

/// The C program that finds the same frames.
private enum Baseline {
  case nmea, ubx, none

  var name: String {
    switch self {
    case .nmea: "C, state machine and XOR"
    case .ubx: "C, frame and Fletcher"
    case .none: ""
    }
  }
}

private func measureRealNMEA(_ bench: Bench) throws(BenchError) {
  var goal = GoalResult(id: 2, title: "NMEA decode, logs of real receivers", clauses: [])
  guard let corpus = bench.real.nmea else {
    goal.note = "no recorded logs: see --corpus"
    return bench.results.add(goal)
  }
  let (clauses, counts) = try race(bench, corpus, .nmea, goals: .p2)
  // The same sentences as another program finds, less those whose fields are no sentence's.
  let found = corpus.bytes.withUnsafeBufferPointer { bytes in
    bytes.baseAddress.map { Int(baseline_nmea($0, bytes.count)) } ?? 0
  }
  let ours = Int(counts.accepted(of: .nmea) + counts.rejected(for: .structure))
  goal.clauses =
    clauses + [.holds("sentences as counted by the baseline", abs(ours - found) * 500 < found)]
  goal.note = "\(ours) and \(found) sentences"
  bench.results.add(goal)
}

/// Runs the decoder, the limits and the peers on one corpus.
private func race(
  _ bench: Bench, _ corpus: Corpus, _ baseline: Baseline, goals bounds: DecodingBounds
) throws(BenchError) -> ([Clause], StreamCounts) {
  var race = Race("decoding \(corpus.name), \(corpus.megabytes.short) MB")
  var counts = StreamCounts()
  race.add(product, megabytes: corpus.megabytes) { counts = decode(corpus.bytes).counts }
  addLimits(to: &race, corpus, baseline)
  try addPeers(to: &race, bench, corpus, isText: baseline == .nmea)
  try race.run(bench)
  if let expected = corpus.messageCount, counts.accepted != expected {
    throw BenchError("\(corpus.name): \(counts.accepted) messages, not \(expected)")
  }
  var clauses: [Clause] = []
  if baseline != .none {
    clauses.append(
      .atLeast(
        "of \(baseline.name)", race.ratio(product, to: baseline.name),
        gate: bounds.baseline.gate, target: bounds.baseline.target))
  }
  clauses.append(
    .atLeast(
      "of gpsdecode -c", race.ratio(product, to: "gpsdecode -c"), gate: bounds.gpsdecode.gate,
      target: bounds.gpsdecode.target))
  return (clauses, counts)
}

/// Decodes a whole stream in chunks of 4 KiB.
func decode(_ bytes: [UInt8]) -> (counts: StreamCounts, epochs: Int) {
  let chunk = 4096
  var epochs = 0
  var decoder = StreamDecoder(dates: DateSettings())
  decoder.closing = .recorded
  bytes.withByteView { view in
    var start = 0
    while start < view.count {
      let end = min(start + chunk, view.count)
      decoder.decode(view.extracting(start..<end), at: .zero) { report in
        if case .epoch = report { epochs += 1 }
      }
      start = end
    }
  }
  decoder.finish(at: .zero) { if case .epoch = $0 { epochs += 1 } }
  return (decoder.counts, epochs)
}

private func addLimits(to race: inout Race, _ corpus: Corpus, _ baseline: Baseline) {
  typealias Work = (UnsafePointer<UInt8>?, Int) -> UInt64
  var limits: [(String, Work)] = []
  switch baseline {
  case .nmea:
    limits = [(baseline.name, baseline_nmea), ("C, memchr and XOR", baseline_nmea_lines)]
  case .ubx: limits = [(baseline.name, baseline_ubx)]
  case .none: break
  }
  limits += [("memchr", baseline_memchr), ("memcpy", baseline_memcpy)]
  for (name, work) in limits {
    race.add(name, megabytes: corpus.megabytes) {
      _ = corpus.bytes.withUnsafeBufferPointer { work($0.baseAddress, $0.count) }
    }
  }
}

private func addPeers(
  to race: inout Race, _ bench: Bench, _ corpus: Corpus, isText: Bool
) throws(BenchError) {
  let file = try bench.file(of: corpus)
  if bench.has("gpsdecode", from: "Debian's gpsd-clients or gpsd-tools") {
    race.add(
      "gpsdecode -c", megabytes: corpus.megabytes, command: ["gpsdecode", "-c"], input: file)
  }
  guard corpus.messageCount != nil else { return }
  // They are slow.
  let slice = corpus.prefix(300_000)
  let path = try bench.file(of: slice)
  let peer = isText ? PythonPeer.pynmeagps : PythonPeer.pyubx2
  guard peer.isThere else { return bench.results.lacks("\(peer.rawValue) (PyPI)") }
  race.add(
    "\(peer.rawValue) (Python)", megabytes: slice.megabytes, command: peer.command(reading: path))
}

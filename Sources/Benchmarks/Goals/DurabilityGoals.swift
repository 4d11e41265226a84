import Bytes
import GNSS
import Glibc
import LinuxIO

/// P14: what a killed daemon leaves in its log, and how often it writes.
func measureDurability(_ bench: Bench) throws(BenchError) {
  bench.results.machine.noteLoad()
  var goal = GoalResult(id: 14, title: "log after kill -9, and writes", clauses: [])
  let pace = Stage.Pace(pieceByteCount: 64, baud: 921_600, period: .milliseconds(40))
  let stage = try Stage()
  let killed = try Contestant(.binnacle, baud: pace.baud, bench)
  try stage.start(killed)
  try stage.play(bench.synthPVT, epochs: 0..<300, at: pace, to: [killed])
  let heard = killed.client?.heard.count ?? 0
  killed.stop(with: SIGKILL)
  let path = "\(bench.folder)/dump"
  _ = try ChildProcess(
    [bench.binnacle, "log-dump", "--log", killed.ring, "--format", "json"], output: .file(path)
  ).wait()
  let logged = lineCount(of: path, beginningWith: #"{"type":"fix""#)
  goal.clauses.append(
    .atMost(
      "fixes lost of \(heard) told", Samples([Double(heard - logged)]), unit: "fixes", gate: 1,
      target: 0))
  guard bench.has("strace", from: "Debian's strace") else { return bench.results.add(goal) }
  let counts = try countWrites(bench, pace)
  goal.clauses.append(
    .atMost("writes to the ring", Samples([counts.writes]), unit: "/s", gate: 1, target: 1))
  // The interval in the configuration is 10 s; a full block is written at once.
  goal.clauses.append(
    .atMost(
      "longest time without fdatasync", Samples([counts.longest]), unit: "s", gate: 11,
      target: 10.5))
  bench.results.add(goal)
}

/// Runs a daemon for half a minute under strace(1).
private func countWrites(
  _ bench: Bench, _ pace: Stage.Pace
) throws(BenchError) -> (writes: Double, longest: Double) {
  let log = "\(bench.folder)/strace"
  let stage = try Stage()
  let traced = try Contestant(.binnacle, baud: pace.baud, bench)
  let calls = "trace=pwrite64,pwritev,fdatasync,fsync"
  try stage.start(traced, under: ["strace", "-f", "-y", "-ttt", "-e", calls, "-o", log])
  let epochs = 0..<750
  try stage.play(bench.synthPVT, epochs: epochs, at: pace, to: [traced])
  if let tracer = traced.process?.processID,
    let child = smallFile("/proc/\(tracer)/task/\(tracer)/children")?.split(separator: " ").first,
    let process = pid_t(child)
  {
    kill(process, SIGTERM)
    _ = traced.process?.wait(limit: .seconds(10))
  }
  stage.stop(traced)
  var (writes, syncs): (Int, [Double]) = (0, [])
  for line in (smallFile(log, byteLimit: 1 << 26) ?? "").split(separator: "\n") {
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    // PID TIME CALL(FD<PATH>, ...
    guard words.count > 2, let time = Double(words[1]) else { continue }
    let isOfRing = String(words[2]).holds("\(traced.port).ring>")
    if isOfRing, words[2].hasPrefix("pwrite") { writes += 1 }
    if isOfRing, words[2].hasPrefix("fdatasync") || words[2].hasPrefix("fsync") {
      syncs.append(time)
    }
  }
  let longest = zip(syncs.dropFirst(), syncs).map { $0 - $1 }.max() ?? .infinity
  return (Double(writes) / (pace.period * epochs.count).inSeconds, longest)
}

import Bytes
import GNSS
import LinuxIO

/// P15: a client that never reads must cost the others nothing, and be told of.
func measureSlowClient(_ bench: Bench) throws(BenchError) {
  bench.results.machine.noteLoad()
  var goal = GoalResult(id: 15, title: "a client that never reads", clauses: [])
  let corpus = bench.synthPVT.prefix(4_000_000)
  let stage = try Stage()
  let daemon = try Contestant(.binnacle, baud: 921_600, bench)
  try stage.start(daemon)
  // It asks like the other one and is never listened to.
  let deaf = ReportClient(port: daemon.port)
  _ = try stage.drain(corpus, corpus.bytes.indices, by: daemon)
  // The last epoch waits for its successor.
  let heard = daemon.client?.heard.count ?? 0
  goal.clauses.append(
    .holds("the other hears of every epoch", heard >= corpus.epochs.count - 1))
  deaf?.receive(at: Clocks.monotonic())
  goal.clauses.append(.holds("it is dropped", deaf?.isClosed ?? false))
  goal.clauses.append(
    .holds("the daemon tells of it", daemon.status.holds(#""tooSlow":1"#)))
  stage.stop(daemon)
  let path = "\(bench.folder)/dump"
  _ = try ChildProcess(
    [bench.binnacle, "log-dump", "--log", daemon.ring, "--format", "json"], output: .file(path)
  ).wait()
  let logged = lineCount(of: path, beginningWith: #"{"type":"fix""#)
  goal.clauses.append(.holds("the log has every fix", logged >= corpus.epochs.count - 1))
  goal.note = "\(heard) told and \(logged) logged of \(corpus.epochs.count) epochs"
  bench.results.add(goal)
}

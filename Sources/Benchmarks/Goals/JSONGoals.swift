import Glibc

/// P5: captured bytes to gpsd's reports, program against program, their start included.
func measureJSON(_ bench: Bench) throws(BenchError) {
  var clauses: [Clause] = []
  for corpus in [bench.synth10hz, bench.synthPVT] {
    let file = try bench.file(of: corpus)
    var race = Race("to JSON, \(corpus.name), \(corpus.megabytes.short) MB")
    let ours = [bench.binnacle, "decode", "--format", "gpsd", file]
    race.add("binnacle decode", megabytes: corpus.megabytes, command: ours)
    let theirs = ["gpsdecode", "-j"]
    let hasPeer = bench.has("gpsdecode", from: "Debian's gpsd-clients or gpsd-tools")
    if hasPeer {
      race.add("gpsdecode -j", megabytes: corpus.megabytes, command: theirs, input: file)
    }
    try race.run(bench)
    clauses.append(
      .atLeast(
        "\(corpus.name), of gpsdecode -j", race.ratio("binnacle decode", to: "gpsdecode -j"),
        gate: 8, target: 20))
    guard hasPeer else { continue }
    let sizes = try (
      outputByteCount(ours, input: "/dev/null", bench),
      outputByteCount(theirs, input: file, bench)
    )
    let share = Double(sizes.0) / Double(max(sizes.1, 1))
    clauses.append(
      .atLeast(
        "\(corpus.name), bytes written", Samples([share]), unit: "of gpsdecode's", gate: 0.5,
        target: 0.5))
  }
  bench.results.add(GoalResult(id: 5, title: "captured bytes to JSON", clauses: clauses))
}

/// How much a program writes to its standard output.
private func outputByteCount(
  _ command: [String], input: String, _ bench: Bench
) throws(BenchError) -> Int {
  let path = "\(bench.folder)/output"
  _ = try ChildProcess(command, input: input, output: .file(path)).wait()
  return byteCount(of: path)
}

/// The size of a file; 0 where there is none.
func byteCount(of path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

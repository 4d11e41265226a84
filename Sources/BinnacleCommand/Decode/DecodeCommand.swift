import Bytes
import GNSS
import GNSSWire
import LinuxIO

extension Subcommand {
  static let decode = Subcommand(
    name: "decode", summary: "Turn a captured byte stream into fixes and satellites",
    operands: "FILE...|-",
    details: """
      Reads what a receiver sent (NMEA, UBX, or both among other protocols) from files
      or, with -, from standard input, and prints one fix for each epoch. Each file is a
      stream of its own.

      A file is of its time: dates are taken as the receiver sent them. With --build-date
      or --host-utc they are held against that day, as those of a receiver that is plugged
      in are: what lies before it is moved by cycles of 1024 weeks.
      """,
    options: [
      Option(
        "format", "FORMAT", choices: DecodeFormat.allCases.map(\.rawValue),
        help: "What to print; without it json"),
      Option(
        "stats",
        help: "Tell on standard error what was there: messages, rejects, receiver, rate, span"),
      Option(
        "chunk", "N", help: "Hand N bytes at a time to the decoder; the result is the same"),
      Option(
        "host-utc", "TIME", help: "Trusted time of the host: dates streams that have no date"),
      Option(
        "build-date", "DATE",
        help: "No date lies before this day (with --host-utc also without it: \(buildDate))"),
    ],
    examples: [
      ("binnacle decode --stats capture.log", "Print fixes and satellites as JSON"),
      ("binnacle decode --format gpsd - < /dev/ttyACM0", "Decode a receiver as it speaks"),
    ],
    run: { invocation throws(CommandError) in
      var command = try DecodeCommand(invocation)
      return command.run()
    })
}

/// A day that had passed when this program was built.
private let buildDate = "2026-06-01"

/// `binnacle decode`
private struct DecodeCommand {
  private let paths: [String]
  private let chunkByteCount: Int
  private let dates: DateSettings
  private let showsStatistics: Bool
  private var writer: DecodeWriter

  /// What is read at once; its output is written before more is read.
  private static let readByteCount = 65_536

  init(_ invocation: Invocation) throws(CommandError) {
    guard !invocation.operands.isEmpty else {
      throw .usage("decode: no file; name a captured log, or - for standard input")
    }
    paths = invocation.operands
    chunkByteCount =
      try invocation.integer("chunk", in: 1...Self.readByteCount) ?? Self.readByteCount
    dates = try Self.dateSettings(invocation)
    showsStatistics = invocation.has("stats")
    writer = DecodeWriter(
      format: invocation.value("format").flatMap { DecodeFormat(rawValue: $0) } ?? .json)
  }

  /// A file that cannot be read does not keep the others from being decoded.
  mutating func run() -> ExitCode {
    var exitCode = ExitCode.ok
    for path in paths {
      do throws(Errno) {
        let statistics = try decode(path)
        if showsStatistics { StandardError.line(statistics.text(of: path)) }
      } catch {
        let advice =
          error == .badMessage
          ? "the packed file is damaged or cut off; what comes before that is decoded"
          : "\(error.text); name a captured log, or -"
        StandardError.line("binnacle: \(path): \(advice)")
        exitCode = .failed
      }
    }
    return exitCode
  }

  /// Decodes one stream to its end.
  private mutating func decode(_ path: String) throws(Errno) -> DecodeStatistics {
    let file = try InputFile(path: path, unpacking: true)
    var decoder = StreamDecoder(dates: dates)
    decoder.closing = .recorded
    var progress = Progress(name: path, byteCount: file.byteCount)
    var bytes = [UInt8](repeating: 0, count: Self.readByteCount)
    var output = OutputBuffer(capacity: Self.readByteCount)
    writer.begin(path, to: &output)
    var statistics = DecodeStatistics()
    // What was read before a failure is of use, to its last epoch.
    var failure: Errno?
    while true {
      var count = 0
      do throws(Errno) { count = try file.read(into: &bytes) } catch { failure = error }
      guard count > 0 else { break }
      bytes.withByteView { feed($0.extracting(0..<count), to: &decoder, &statistics, &output) }
      try StandardOutput.write(output)
      output.removeAll()
      progress.advance(by: count)
    }
    decoder.finish(at: .zero) { report in
      statistics.note(report)
      writer.write(report, to: &output)
    }
    statistics.finish(decoder.counts)
    writer.end(statistics, to: &output)
    progress.finish()
    try StandardOutput.write(output)
    if let failure { throw failure }
    return statistics
  }

  private mutating func feed(
    _ bytes: ByteView, to decoder: inout StreamDecoder, _ statistics: inout DecodeStatistics,
    _ output: inout OutputBuffer
  ) {
    var start = 0
    while start < bytes.count {
      let end = min(start + chunkByteCount, bytes.count)
      decoder.decode(bytes.extracting(start..<end), at: .zero) { report in
        statistics.note(report)
        writer.write(report, to: &output)
      }
      start = end
    }
  }

  private static func dateSettings(_ invocation: Invocation) throws(CommandError) -> DateSettings {
    let host = try time("host-utc", of: invocation)
    let floor = try time("build-date", of: invocation)
    guard host != nil || floor != nil else { return DateSettings() }
    return DateSettings(buildDate: floor ?? UTCTime(iso8601: buildDate), hostTime: host)
  }

  private static func time(
    _ option: String, of invocation: Invocation
  ) throws(CommandError) -> UTCTime? {
    guard let text = invocation.value(option) else { return nil }
    guard let time = UTCTime(iso8601: text) else {
      throw .usage("--\(option) \(text): no time; write 2026-10-14 or 2026-10-14T05:06:07Z")
    }
    return time
  }
}

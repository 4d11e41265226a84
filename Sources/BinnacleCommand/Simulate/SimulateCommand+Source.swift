import Bytes
import GNSS
import LinuxIO
import ReceiverSimulator

/// The file that is replayed, as bursts of bytes with the times they are due at.
struct ReplaySource {
  private let file: ReplayFile
  private let isLooping: Bool
  /// `nil` where the file is a log.
  private var track: TrackReplay?
  private var log = LogReplay()
  /// The burst of the log that is due next.
  private var burst = OutputBuffer()
  private var isEmpty = true
  /// What to tell the user before it begins, in one line.
  let remark: String

  /// Opens the file and finds out what it is: GPX begins with `<`, and no log does.
  init(_ options: SimulateOptions, path: String) throws(CommandError) {
    file = try ReplayFile(path: path)
    isLooping = options.isLooping
    guard file.firstCharacter == UInt8(ascii: "<") else {
      if let option = options.trackOptions.first {
        throw .usage("--\(option) is for GPX tracks; \(path) is a log, sent as it is")
      }
      remark = "\(path): a captured log"
      return
    }
    let (track, isCutShort) = try file.track(groundSpeed: options.groundSpeed)
    self.track = TrackReplay(
      track, language: options.language, rate: options.rate, stamp: options.stamp,
      turnCount: isLooping ? nil : 1)
    let count = track.segments.reduce(0) { $0 + $1.count }
    remark =
      "\(path): \(count) points, \(Int((track.end - track.start).inSeconds)) s"
      + (track.droppedCount > 0 ? "; \(track.droppedCount) more are not later than others" : "")
      + (isCutShort ? "; the file ends in its middle" : "")
  }

  /// When the next burst is due, counted from the first; `nil` at the end.
  mutating func nextDue() throws(CommandError) -> Duration? {
    guard track == nil else { return track?.nextDue }
    while true {
      if let due = log.next(into: &burst) {
        isEmpty = false
        return due
      }
      if log.isFinished {
        guard isLooping, !isEmpty else { return nil }
        try file.rewind()
        log.restart()
      }
      log.feed(file.chunk)
      if try !file.advance() { log.finish() }
    }
  }

  /// Appends the burst that is due. Along a track it is composed only now, with the present time.
  mutating func take(into output: inout OutputBuffer) {
    track?.next(into: &output, at: Clocks.utc())
    output.append(bytes: burst.bytes)
    burst.removeAll()
  }
}

/// A file that is read a chunk at a time.
final class ReplayFile {
  private static let chunkByteCount = 65_536

  private let path: String
  private var file: InputFile
  /// What was read last; empty at the end.
  private(set) var chunk: [UInt8] = []

  /// Opens the file and reads its first chunk.
  init(path: String) throws(CommandError) {
    self.path = path
    file = try Self.open(path)
    _ = try advance()
  }

  private static func open(_ path: String) throws(CommandError) -> InputFile {
    do throws(Errno) { return try InputFile(path: path, unpacking: true) } catch {
      throw .failed("\(path): \(error.text)")
    }
  }

  /// Reads the next chunk; returns whether there was one.
  func advance() throws(CommandError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: Self.chunkByteCount)
    do throws(Errno) {
      let count = try file.read(into: &bytes)
      chunk = Array(bytes[..<count])
    } catch {
      throw .failed("\(path): \(error.text)")
    }
    return !chunk.isEmpty
  }

  /// Reads all of it as GPX.
  ///
  /// - Parameter groundSpeed: m/s, in place of the times that it has; the track then begins now.
  func track(groundSpeed: Double?) throws(CommandError) -> (Track, isCutShort: Bool) {
    var reader = GPXReader()
    func named<T>(_ body: () throws(GPXError) -> T) throws(CommandError) -> T {
      do throws(GPXError) { return try body() } catch {
        throw .failed("\(path): \(error.message)")
      }
    }
    repeat {
      try named { () throws(GPXError) in try reader.feed(chunk) }
    } while try advance()
    let isCutShort = try named { () throws(GPXError) in try reader.finish() }
    let track = try named { () throws(GPXError) in
      if let groundSpeed {
        return try Track(reader.segments, groundSpeed: groundSpeed, start: Clocks.utc())
      }
      return try Track(recorded: reader.segments)
    }
    return (track, isCutShort)
  }

  /// Begins again.
  func rewind() throws(CommandError) {
    file = try Self.open(path)
    _ = try advance()
  }

  /// The first byte of the chunk that is neither white space nor a byte-order mark.
  var firstCharacter: UInt8? {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf, 0xff, 0xfe]
    return chunk.first { !mark.contains($0) && $0 > 0x20 }
  }
}

import Bytes
import FixLog
import GNSS
import LinuxIO
import TrackExport

/// The end of a dump: makes records into text and gathers it for the file.
final class DumpSink {
  private let path: String
  private let output: OutputFile
  private var document: Document
  private(set) var shownCount = 0

  /// Output is gathered up to about this size before it is written.
  private static let bufferByteCount = 65_536

  /// The writer and what it wrote, in one place, as each record is written into both.
  private struct Document {
    var writer: any RecordWriter
    var buffer = OutputBuffer(capacity: 2 * DumpSink.bufferByteCount)

    mutating func begin() { writer.begin(to: &buffer) }
    mutating func end() { writer.end(to: &buffer) }
    mutating func write(_ event: PlacedEvent) { writer.write(event, to: &buffer) }
    mutating func write(_ record: LogRecord, startsSegment: Bool) {
      writer.write(record, startsSegment: startsSegment, to: &buffer)
    }
  }

  /// - Parameters:
  ///   - path: `-` is standard output.
  ///   - isGrowing: Whether others read the file while it is written.
  init(_ writer: any RecordWriter, path: String, isGrowing: Bool) throws(CommandError) {
    (document, self.path) = (Document(writer: writer), path)
    do throws(Errno) { output = try OutputFile(path: path, isGrowing: isGrowing) } catch {
      throw .failed("\(path): cannot write: \(error.text)")
    }
    document.begin()
  }

  var isFull: Bool { document.buffer.count >= Self.bufferByteCount }

  func write(_ record: LogRecord, startsSegment: Bool) {
    document.write(record, startsSegment: startsSegment)
    shownCount += 1
  }

  func write(_ event: PlacedEvent) {
    document.write(event)
    shownCount += 1
  }

  func flush() throws(CommandError) {
    do throws(Errno) { try output.write(document.buffer) } catch { throw failure(error) }
    document.buffer.removeAll()
  }

  /// Closes the document and gives the file its name.
  func finish() throws(CommandError) {
    document.end()
    try flush()
    do throws(Errno) { try output.finish() } catch { throw failure(error) }
  }

  private func failure(_ error: Errno) -> CommandError {
    .failed("\(path): cannot write: \(error.text)")
  }
}

import Bytes
import FixLog
import GNSS
import LinuxIO
import TrackExport

/// The end of a dump: makes records into text and gathers it for the file.
final class DumpSink {
  private let path: String
  private let output: OutputFile
  private var writer: any RecordWriter
  private var buffer = OutputBuffer(capacity: 2 * DumpSink.bufferByteCount)
  private(set) var shownCount = 0

  /// Output is gathered up to about this size before it is written.
  private static let bufferByteCount = 65_536

  /// - Parameters:
  ///   - path: `-` is standard output.
  ///   - isGrowing: Whether others read the file while it is written.
  init(_ writer: any RecordWriter, path: String, isGrowing: Bool) throws(CommandError) {
    (self.writer, self.path) = (writer, path)
    do throws(Errno) { output = try OutputFile(path: path, isGrowing: isGrowing) } catch {
      throw .failed("\(path): cannot write: \(error.text)")
    }
    self.writer.begin(to: &buffer)
  }

  var isFull: Bool { buffer.count >= Self.bufferByteCount }

  func write(_ record: LogRecord, startsSegment: Bool) {
    writer.write(record, startsSegment: startsSegment, to: &buffer)
    shownCount += 1
  }

  func write(_ event: PlacedEvent) {
    writer.write(event, to: &buffer)
    shownCount += 1
  }

  func flush() throws(CommandError) {
    do throws(Errno) { try output.write(buffer) } catch { throw failure(error) }
    buffer.removeAll()
  }

  /// Closes the document and gives the file its name.
  func finish() throws(CommandError) {
    writer.end(to: &buffer)
    try flush()
    do throws(Errno) { try output.finish() } catch { throw failure(error) }
  }

  private func failure(_ error: Errno) -> CommandError {
    .failed("\(path): cannot write: \(error.text)")
  }
}

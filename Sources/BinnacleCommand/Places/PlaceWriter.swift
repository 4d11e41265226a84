import Bytes
import FixLog
import Gazetteer
import TrackExport

/// Another format with the nearest place at the end of every fix's line.
struct PlaceWriter: RecordWriter {
  private var writer: any RecordWriter
  private let format: DumpFormat
  private let places: PlaceFile

  /// - Parameter format: One for which `canName` holds; `writer` writes it.
  init(_ writer: any RecordWriter, _ format: DumpFormat, _ places: PlaceFile) {
    (self.writer, self.format, self.places) = (writer, format, places)
  }

  /// Whether a fix is one line there, which has an end to add to.
  static func canName(in format: DumpFormat) -> Bool { [.text, .json, .csv].contains(format) }

  mutating func begin(to output: inout OutputBuffer) {
    let start = output.count
    writer.begin(to: &output)
    guard output.count > start else { return }
    extend(&output, by: 1) { $0.append(format == .csv ? ",place" : "  nearest place") }
  }

  mutating func write(_ record: LogRecord, startsSegment: Bool, to output: inout OutputBuffer) {
    let start = output.count
    writer.write(record, startsSegment: startsSegment, to: &output)
    guard output.count > start, case .fix(let fix, _) = record.content else { return }
    let nearest = fix.position.flatMap { places.nearest(to: $0) }
    switch format {
    case .json:
      guard let nearest else { return }
      extend(&output, by: 2) { output in
        output.append(member: "place")
        nearest.place.appendJSON(nearest, to: &output)
      }
    case .csv:
      extend(&output, by: 1) { output in
        output.append(",\"")
        if let nearest { output.append(text: nearest.place.label.replacingQuotes) }
        output.append("\"")
      }
    default:
      guard let nearest else { return }
      extend(&output, by: 1) { output in
        output.append("  ")
        nearest.appendDistance(to: &output)
        output.append(" of ")
        output.append(text: nearest.place.label)
      }
    }
  }

  mutating func end(to output: inout OutputBuffer) { writer.end(to: &output) }

  /// Puts something in front of the last `count` bytes: the end of the line, and of the object.
  private func extend(
    _ output: inout OutputBuffer, by count: Int, _ append: (inout OutputBuffer) -> Void
  ) {
    let tail = output.withByteView { $0.extracting(max($0.count - count, 0)..<$0.count).copied() }
    output.truncate(to: output.count - tail.count)
    append(&output)
    output.append(bytes: tail)
  }
}

extension String {
  /// Double quotes twice, as RFC 4180 has it.
  fileprivate var replacingQuotes: String {
    split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
  }
}

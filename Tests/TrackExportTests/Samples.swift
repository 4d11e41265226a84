import Bytes
import FixLog
import GNSS

@testable import TrackExport

/// What `write` puts into an empty buffer.
func written(_ write: (inout OutputBuffer) -> Void) -> String {
  var output = OutputBuffer()
  write(&output)
  return output.text
}

/// The document that `writer` makes of `records`, cut into segments as `log-dump` does.
func document(_ writer: some RecordWriter, _ records: [LogRecord]) -> String {
  var (writer, segmenter, output) = (writer, Segmenter(), OutputBuffer())
  writer.begin(to: &output)
  for record in records {
    writer.write(record, startsSegment: segmenter.startsSegment(record), to: &output)
  }
  writer.end(to: &output)
  return output.text
}

extension Fix {
  /// A fix with most values known.
  static var sample: Fix {
    var fix = Fix()
    fix.time = UTCTime(iso8601: "2026-10-14T05:06:07.25Z")
    fix.dateSource = .receiver
    (fix.mode, fix.status) = (.threeD, .dgps)
    fix.position = Coordinate(latitude: -49.341666666667, longitude: 70.220833333333)
    (fix.altitudeMSL, fix.altitudeEllipsoid, fix.geoidSeparation) = (512.118, 553.325, 41.207)
    (fix.speed, fix.course, fix.climb, fix.magneticVariation) = (1.25, 120.5, -0.1, -3.8)
    (fix.horizontalAccuracy, fix.verticalAccuracy) = (2.5, 4)
    (fix.speedAccuracy, fix.courseAccuracy) = (0.3, 12)
    (fix.dop.horizontal, fix.dop.vertical, fix.dop.position) = (1.27, 2.1, 2.45)
    fix.satellitesUsed = 7
    return fix
  }
}

extension LogRecord {
  static let receiver = StreamDescriptor(receiverID: 0xab12, name: "u-blox 8", wireProtocol: .ubx)

  static func fix(_ fix: Fix, of stream: StreamDescriptor = receiver) -> LogRecord {
    LogRecord(content: .fix(fix, stream), time: fix.time, boottime: .zero)
  }

  /// A 3D fix at a time and place.
  static func fix(
    at time: String, _ latitude: Double = 10, _ longitude: Double = 20,
    of stream: StreamDescriptor = receiver
  ) -> LogRecord {
    var fix = Fix()
    fix.time = UTCTime(iso8601: time)
    fix.mode = .threeD
    fix.position = Coordinate(latitude: latitude, longitude: longitude)
    return .fix(fix, of: stream)
  }

  static func event(
    _ kind: EventKind, at time: String, _ fields: [LogEvent.Field] = []
  ) -> LogRecord {
    let time = UTCTime(iso8601: time)
    let boottime = Monotonic(nanoseconds: 12_345_678_901)
    return LogRecord(
      content: .event(LogEvent(kind, time: time, boottime: boottime, fields: fields)), time: time,
      boottime: boottime)
  }
}

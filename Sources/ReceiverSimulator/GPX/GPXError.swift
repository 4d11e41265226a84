/// Why a GPX file cannot be replayed.
package enum GPXError: Error, Equatable {
  /// The text is not XML.
  package enum Fault: String, Sendable {
    case longTag = "a tag of more than 16,384 bytes"
    case unclosedTag = "a tag that is not closed"
    case namelessTag = "a tag without a name"
    case deep = "more than 64 elements inside each other"
    case mismatch = "an end tag that closes another element"
    case encoding = "UTF-16 text; convert the file to UTF-8"
  }

  case malformed(line: Int, Fault)
  /// The outermost element is not `gpx`; empty where there is none.
  case notGPX(root: String)
  /// A point's `lat` or `lon` is missing, no number or out of range.
  case badCoordinate(line: Int)
  case badTime(line: Int, text: String)
  case noPoints
  /// The first point without a time, counted from 1.
  case noTime(point: Int)
  case tooManyPoints

  /// One line: what is wrong, and what to do about it.
  package var message: String {
    switch self {
    case .malformed(let line, let fault): "line \(line): \(fault.rawValue)"
    case .notGPX(let root):
      root.isEmpty ? "no XML element in it" : "not GPX: its outermost element is '\(root)'"
    case .badCoordinate(let line):
      "line \(line): a point needs lat within -90 to 90 and lon within -180 to 180"
    case .badTime(let line, let text):
      "line \(line): '\(text)' is no time such as 2026-10-14T05:06:07Z"
    case .noPoints: "no track or route points in it"
    case .noTime(let point):
      "point \(point) has no time, so there is no pace; give one with --ground-speed M/S"
    case .tooManyPoints: "more than \(GPXReader.pointCountMax) points; split the file"
    }
  }
}

import Bytes
import GNSS
import LinuxIO
import Testing

/// A case of the corpus that lies beside the project.
struct CorpusCase {
  let input: String
  let expect: JSONValue

  private static let path: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(4).joined(separator: "/") + "/shared/corpus/cases.jsonl"
  }()

  /// `nil` where there is no corpus.
  init?(_ id: String) throws {
    guard let text = smallFile(Self.path, byteLimit: 1 << 24) else {
      print("skipped: \(Self.path) is not there")
      return nil
    }
    let line = try #require(
      text.split(separator: "\n").first { $0.hasPrefix("{\"id\": \"\(id)\"") })
    let value = try Self.value(of: String(line))
    input = try #require(value["input"]?.string)
    expect = try #require(value["expect"])
  }

  static func value(of text: String) throws -> JSONValue {
    try Array(text.utf8).withByteView { try JSONReader.value(of: $0) }
  }

  /// The points that it hands to the logger, in the lists in which it does so.
  func points() throws -> [[Fix]] {
    // One by one: all of them are more than is taken from a client.
    try input.between("\"write_points\":[", "]").map { list in
      try String(list).between("{", "}").map { Self.fix(try Self.value(of: "{\($0)}")) }
    }
  }

  private static func fix(_ point: JSONValue) -> Fix {
    var fix = Fix()
    fix.time = point["t"]?.string.flatMap { UTCTime(iso8601: $0) }
    fix.mode = point["mode"]?.integer == 3 ? .threeD : .twoD
    if let latitude = point["lat"]?.number, let longitude = point["lon"]?.number {
      fix.position = Coordinate(latitude: latitude, longitude: longitude)
    }
    (fix.horizontalAccuracy, fix.speed) = (point["acc"]?.number, point["speed"]?.number)
    fix.altitudeMSL = point["alt_msl"]?.number
    return fix
  }

  /// The instant that a member of `expect` names.
  func time(_ name: String) -> UTCTime? {
    expect[name]?.string.flatMap { UTCTime(iso8601: $0) }
  }

  /// Whether a number lies within what a member of `expect` allows.
  func allows(_ value: Double, _ name: String) -> Bool {
    guard let bounds = expect[name] else { return false }
    if let exact = bounds.number { return value == exact }
    return value >= bounds["min"]?.number ?? -.infinity
      && value <= bounds["max"]?.number ?? .infinity
  }
}

extension String {
  /// What stands between `start` and `end`, each time.
  func between(_ start: String, _ end: String) -> [Substring] {
    var (found, rest) = ([Substring](), self[...])
    while let from = rest.firstRange(of: start),
      let to = rest[from.upperBound...].firstRange(of: end)
    {
      found.append(rest[from.upperBound..<to.lowerBound])
      rest = rest[to.upperBound...]
    }
    return found
  }
}

import Bytes
import GNSS

/// A point of a track or a route, as the file has it.
package struct GPXPoint: Equatable, Sendable {
  package var coordinate: Coordinate
  /// Metres above mean sea level.
  package var altitude: Double?
  package var time: UTCTime?

  package init(coordinate: Coordinate, altitude: Double? = nil, time: UTCTime? = nil) {
    (self.coordinate, self.altitude, self.time) = (coordinate, altitude, time)
  }
}

/// Reads the tracks and routes of a GPX file, version 1.0 or 1.1, from a stream of its bytes.
/// Source: the GPX 1.1 schema. Elements are known by their names without prefix.
package struct GPXReader {
  /// More points are refused. Eleven days at 1 Hz; about 64 MB.
  package static let pointCountMax = 1_000_000
  /// Deeper nesting is refused. Real files reach about ten.
  static let depthMax = 64

  /// The segments of all tracks and the routes, in the order of the file; empty ones are left out.
  package private(set) var segments: [[GPXPoint]] = []
  package private(set) var pointCount = 0
  private var tokenizer = XMLTokenizer()
  /// The names of the open elements, outermost first.
  private var open: [[UInt8]] = []
  private var root: String?
  private var isSegmentOpen = false
  private var point: GPXPoint?
  private var pointDepth = 0
  private var field: Field?
  private var text: [UInt8] = []

  private enum Field { case altitude, time }

  package init() {}

  /// Takes the next bytes of the file.
  package mutating func feed(_ bytes: [UInt8]) throws(GPXError) {
    for byte in bytes {
      guard let token = try tokenizer.take(byte) else { continue }
      switch token {
      case .tag: try takeTag(tokenizer.content)
      case .text: takeText(tokenizer.content)
      }
    }
  }

  /// To be called behind the last byte.
  ///
  /// - Returns: Whether the file ends in its middle, as after a power cut: what stood before it
  ///   counts.
  package mutating func finish() throws(GPXError) -> Bool {
    guard root != nil else { throw .notGPX(root: "") }
    guard pointCount > 0 else { throw .noPoints }
    return !open.isEmpty || !tokenizer.isBetweenTags
  }

  private mutating func takeText(_ bytes: [UInt8]) {
    guard field != nil, text.count < XMLTokenizer.textByteCountMax else { return }
    text.append(contentsOf: bytes)
  }

  private mutating func takeTag(_ content: [UInt8]) throws(GPXError) {
    let line = tokenizer.line
    let parsed = content.withByteView { view in
      XMLTag(view).map { tag in
        let kind = Element(tag.localName)
        let isPoint = kind == .point && !tag.isEnd
        return (
          name: tag.name.copied(), kind: kind, isEnd: tag.isEnd, isSelfClosing: tag.isSelfClosing,
          root: root ?? tag.localName.text,
          latitude: isPoint ? tag.attribute("lat") : nil,
          longitude: isPoint ? tag.attribute("lon") : nil
        )
      }
    }
    guard let parsed else { throw .malformed(line: line, .namelessTag) }
    if parsed.isEnd { return try close(parsed.name, parsed.kind) }
    if root == nil {
      guard !content.contains(0) else { throw .malformed(line: 1, .encoding) }
      guard parsed.root == "gpx" else { throw .notGPX(root: parsed.root) }
      root = parsed.root
    }
    guard open.count < Self.depthMax else { throw .malformed(line: line, .deep) }
    open.append(parsed.name)
    switch parsed.kind {
    case .segment, .route: isSegmentOpen = false
    case .point:
      guard let coordinate = Self.coordinate(parsed.latitude, parsed.longitude) else {
        throw .badCoordinate(line: line)
      }
      point = GPXPoint(coordinate: coordinate)
      pointDepth = open.count
    case .altitude: begin(.altitude)
    case .time: begin(.time)
    case .other: break
    }
    if parsed.isSelfClosing { try close(parsed.name, parsed.kind) }
  }

  /// Collects the text of a direct child of a point.
  private mutating func begin(_ next: Field) {
    guard point != nil, open.count == pointDepth + 1 else { return }
    field = next
    text.removeAll(keepingCapacity: true)
  }

  private mutating func close(_ name: [UInt8], _ element: Element) throws(GPXError) {
    guard open.popLast() == name else { throw .malformed(line: tokenizer.line, .mismatch) }
    if let field, open.count == pointDepth {
      try set(field)
      self.field = nil
    }
    guard element == .point, open.count == pointDepth - 1, let point else { return }
    guard pointCount < Self.pointCountMax else { throw .tooManyPoints }
    if isSegmentOpen, !segments.isEmpty {
      segments[segments.count - 1].append(point)
    } else {
      segments.append([point])
      isSegmentOpen = true
    }
    pointCount += 1
    self.point = nil
  }

  private mutating func set(_ field: Field) throws(GPXError) {
    let value = text.withByteView { XMLText.decoded($0) }
    switch field {
    case .altitude:
      if let metres = Double(value), abs(metres) < 1e6 { point?.altitude = metres }
    case .time:
      guard let time = UTCTime(iso8601: value) else {
        throw .badTime(line: tokenizer.line, text: String(value.prefix(40)))
      }
      point?.time = time
    }
  }

  private static func coordinate(_ latitude: String?, _ longitude: String?) -> Coordinate? {
    guard let latitude = latitude.flatMap({ Double($0) }),
      let longitude = longitude.flatMap({ Double($0) })
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }

  /// The elements that matter.
  private enum Element {
    case segment, route, point, altitude, time, other

    init(_ name: ByteView) {
      if name.elementsEqual("trkpt") || name.elementsEqual("rtept") {
        self = .point
      } else if name.elementsEqual("time") {
        self = .time
      } else if name.elementsEqual("ele") {
        self = .altitude
      } else if name.elementsEqual("trkseg") {
        self = .segment
      } else if name.elementsEqual("rte") {
        self = .route
      } else {
        self = .other
      }
    }
  }
}

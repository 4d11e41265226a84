import Bytes
import GNSS

/// Dilution of precision and the satellites used. NMEA 0183 4.11, GSA.
struct GSA {
  /// 1 no fix, 2 2D, 3 3D; `nil` is blank.
  var mode: Int?
  /// The first `usedCount` are the numbers that are not blank, as sent.
  private var numbers:
    (
      UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16
    ) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  private(set) var usedCount = 0
  var pdop: Double?
  var hdop: Double?
  var vdop: Double?
  /// NMEA 4.10's system id; `nil` before.
  var system: UInt8?

  @inline(__always)
  init?(_ all: SentenceFields) {
    var fields = all
    fields.skip(1)
    mode = fields.integer()
    usedCount = withUnsafeMutableBytes(of: &numbers) { places in
      var count = 0
      for _ in 0..<Self.numberCount {
        guard let number = fields.shortInteger(), number > 0, number <= UInt16.max else { continue }
        places.storeBytes(
          of: UInt16(truncatingIfNeeded: number), toByteOffset: count &* 2, as: UInt16.self)
        count &+= 1
      }
      return count
    }
    pdop = fields.number()
    hdop = fields.number()
    guard !fields.isAtEnd else { return nil }
    vdop = fields.number()
    system = fields.hexDigit()
  }

  private static let numberCount = 12

  /// Calls `body` with each number that is not blank.
  @inline(__always)
  func forEachNumber(_ body: (Int) -> Void) {
    withUnsafeBytes(of: numbers) { places in
      for number in places.bindMemory(to: UInt16.self).prefix(usedCount) { body(Int(number)) }
    }
  }
}

/// Satellites in view: the head of a sentence. The caller takes its blocks with `next`.
/// NMEA 0183 4.11, GSV.
struct GSV {
  var messageCount: Int
  var messageNumber: Int

  @inline(__always)
  init?(_ fields: inout SentenceFields) {
    if let short = fields.shortHead() {
      (messageCount, messageNumber) = short
    } else {
      guard let count = fields.integer(), let number = fields.integer() else { return nil }
      (messageCount, messageNumber) = (count, number)
      // How many satellites there are is seen; some receivers count signals here.
      fields.skip(1)
    }
    guard messageCount >= 1, messageNumber >= 1, messageNumber <= messageCount else { return nil }
  }

  /// What stands at the cursor.
  enum Part {
    /// A block: the number as sent, 0 where blank, and all else of the satellite.
    case satellite(number: Int, Satellite)
    /// The signal's id of NMEA 4.10; 0 where it makes no sense.
    case signal(UInt8)
    case end
    /// Neither whole blocks nor the signal's id are left.
    case torn
  }

  /// Takes the next block of four fields, or what stands behind the last.
  @inline(__always)
  static func next(_ fields: inout SentenceFields, talker: UInt16) -> Part {
    guard !fields.isAtEnd else { return .end }
    if let (number, satellite) = fields.shortBlock() {
      return .satellite(number: number, satellite)
    }
    if fields.isLastCharacter { return .signal(fields.hexDigit() ?? 0) }
    if let (number, cn0) = fields.shortBlockWithoutDirection() {
      return .satellite(number: number, Satellite(constellation: .gps, svid: 0, cn0: cn0))
    }
    let (part, cursor) = longNext(fields, talker: talker)
    fields.cursor = cursor
    return part
  }

  @inline(never)
  private static func longNext(
    _ all: SentenceFields, talker: UInt16
  ) -> (part: Part, cursor: Int) {
    var fields = all
    let part = part(&fields, talker: talker)
    return (part, fields.cursor)
  }

  private static func part(_ fields: inout SentenceFields, talker: UInt16) -> Part {
    let start = fields.cursor
    let number = fields.integer()
    if fields.isAtEnd { return signal(&fields, at: start) }
    // Some receivers send fractions; what lies beyond the sky is not known.
    let elevation = fields.integer(truncatedIn: -90...90)
    if fields.isAtEnd {
      // Quectel's modems repeat the system behind the signal's id.
      return talker == SatelliteNumber.quectelTalker ? signal(&fields, at: start) : .torn
    }
    let azimuth = fields.integer(truncatedIn: 0...360)
    guard !fields.isAtEnd else { return .torn }
    let cn0 = fields.integer(truncatedIn: 0...99)
    var satellite = Satellite(constellation: .gps, svid: 0)
    // Half a direction is none: receivers fill in an elevation mask.
    if let azimuth {
      satellite.azimuth = azimuth == 360 ? 0 : Int16(truncatingIfNeeded: azimuth)
      satellite.elevation = elevation.map { Int8(truncatingIfNeeded: $0) }
    }
    satellite.cn0 = cn0.map { UInt8(truncatingIfNeeded: $0) }
    return .satellite(number: number ?? 0, satellite)
  }

  private static func signal(_ fields: inout SentenceFields, at start: Int) -> Part {
    fields.cursor = start
    defer { fields.cursor = fields.end + 1 }
    return .signal(fields.hexDigit() ?? 0)
  }
}

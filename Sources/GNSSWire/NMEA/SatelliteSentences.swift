import Bytes
import GNSS

/// Dilution of precision and the satellites used. NMEA 0183 4.11, GSA.
struct GSA {
  /// 1 no fix, 2 2D, 3 3D; `nil` is blank.
  var mode: Int?
  /// The numbers as sent; 0 where blank.
  var numbers:
    (
      UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16
    ) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  var pdop: Double?
  var hdop: Double?
  var vdop: Double?
  /// NMEA 4.10's system id; `nil` before.
  var system: UInt8?

  init?(_ fields: inout SentenceFields) {
    guard fields.remainingCount >= 17 else { return nil }
    fields.skip(1)
    mode = fields.integer()
    withUnsafeMutableBytes(of: &numbers) { places in
      let places = places.bindMemory(to: UInt16.self)
      for index in places.indices {
        places[index] = fields.integer().flatMap { UInt16(exactly: $0) } ?? 0
      }
    }
    pdop = fields.number()
    hdop = fields.number()
    vdop = fields.number()
    system = fields.hexDigit()
  }

  /// Calls `body` with each number that is not blank.
  func forEachNumber(_ body: (Int) -> Void) {
    withUnsafeBytes(of: numbers) { places in
      for number in places.bindMemory(to: UInt16.self) where number != 0 { body(Int(number)) }
    }
  }
}

/// Satellites in view: the head of a sentence. The caller takes `blockCount` blocks with
/// `Block.init`. NMEA 0183 4.11, GSV.
struct GSV {
  var messageCount: Int
  var messageNumber: Int
  /// How many blocks of four fields follow.
  var blockCount: Int
  /// Whether the signal id of NMEA 4.10 follows the blocks.
  var hasSignal: Bool

  init?(_ fields: inout SentenceFields, talker: UInt16) {
    guard let messageCount = fields.integer(), let messageNumber = fields.integer(),
      messageCount >= 1, messageNumber >= 1, messageNumber <= messageCount
    else { return nil }
    (self.messageCount, self.messageNumber) = (messageCount, messageNumber)
    // How many satellites there are is seen; some receivers count signals here.
    fields.skip(1)
    // Whole blocks, or blocks and the signal's id, behind which Quectel's modems repeat the system;
    // three fields over are of a torn sentence.
    let count = fields.remainingCount
    (blockCount, hasSignal) = (count / 4, count % 4 > 0)
    guard count % 4 <= (talker == SatelliteNumber.quectelTalker ? 2 : 1) else { return nil }
  }

  struct Block {
    /// As sent; `nil` where blank.
    var number: Int?
    var elevation: Int8?
    var azimuth: Int16?
    var cn0: UInt8?

    init(_ fields: inout SentenceFields) {
      number = fields.integer()
      // Some receivers send fractions; what lies beyond the sky is not known.
      elevation = fields.integer(truncatedIn: -90...90).map { Int8($0) }
      azimuth = fields.integer(truncatedIn: 0...360).map { $0 == 360 ? 0 : Int16($0) }
      cn0 = fields.integer(truncatedIn: 0...99).map { UInt8($0) }
      // Half a direction is none: receivers fill in an elevation mask.
      if azimuth == nil { elevation = nil }
    }
  }
}

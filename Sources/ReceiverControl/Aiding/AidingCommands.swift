import Bytes
import GNSS

/// Aids in UBX. Source: u-blox M8 protocol specification, UBX-MGA-INI.
extension ReceiverCommand {
  /// UBX-MGA-INI-TIME_UTC, 24 bytes: the time on receipt.
  package static func aidTime(_ time: Aiding.Time) -> ReceiverCommand {
    let (date, clock) = (time.utc.date, time.utc.timeOfDay.microseconds)
    let seconds = clock / 1_000_000
    var payload = OutputBuffer(capacity: 24)
    // Type, version, reference; leap seconds are not known here.
    payload.append(bytes: [0x10, 0, 0, 0x80])
    payload.append(littleEndian: UInt16(clamping: date.year))
    payload.append(bytes: [UInt8(clamping: date.month), UInt8(clamping: date.day)])
    payload.append(bytes: [UInt8(clamping: seconds / 3600), UInt8(clamping: seconds / 60 % 60)])
    payload.append(bytes: [UInt8(clamping: seconds % 60), 0])
    payload.append(littleEndian: UInt32(clamping: clock % 1_000_000 * 1000))
    let accuracy = time.accuracy.components
    payload.append(littleEndian: UInt16(clamping: accuracy.seconds))
    payload.append(littleEndian: UInt16(0))
    payload.append(littleEndian: UInt32(clamping: accuracy.attoseconds / 1_000_000_000))
    return ReceiverCommand(frame(.mgaINI, payload.bytes), answer: .mgaAcknowledge(id: 0x40))
  }

  /// UBX-MGA-INI-POS_LLH, 20 bytes.
  package static func aidPosition(_ position: Aiding.Position) -> ReceiverCommand {
    var payload = OutputBuffer(capacity: 20)
    payload.append(bytes: [0x01, 0, 0, 0])
    payload.append(littleEndian: scaled(position.coordinate.latitude, 1e7))
    payload.append(littleEndian: scaled(position.coordinate.longitude, 1e7))
    payload.append(littleEndian: scaled(position.altitude, 100))
    payload.append(littleEndian: UInt32(max(scaled(position.accuracy, 100), 0)))
    return ReceiverCommand(frame(.mgaINI, payload.bytes), answer: .mgaAcknowledge(id: 0x40))
  }

  /// The nearest integer that fits; 0 for no number.
  private static func scaled(_ value: Double, _ scale: Double) -> Int32 {
    let product = (value * scale).rounded()
    guard product.isFinite else { return 0 }
    return Int32(min(max(product, Double(Int32.min)), Double(Int32.max)))
  }

  /// A saved message of the navigation database, as it came.
  static func restoreDatabase(_ payload: [UInt8]) -> ReceiverCommand {
    ReceiverCommand(frame(.mgaDBD, payload), answer: .mgaAcknowledge(id: 0x80))
  }
}

/// Fields of a time and a number, as the text families take them.
private enum AidingText {
  static func fields(of utc: UTCTime) -> String {
    let (date, seconds) = (utc.date, utc.timeOfDay.microseconds / 1_000_000)
    let parts = [
      Int64(date.year), Int64(date.month), Int64(date.day), seconds / 3600, seconds / 60 % 60,
      seconds % 60,
    ]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ",")
  }

  static func decimal(_ value: Double, digits: Int) -> String {
    var buffer = OutputBuffer(capacity: 24)
    buffer.append(fixed: value, decimals: digits)
    return buffer.text
  }
}

extension MTK {
  /// PMTK740: UTC. It is refused where satellites told the time already, which does no harm.
  package static func time(_ utc: UTCTime) -> ReceiverCommand {
    .sentence("PMTK740," + AidingText.fields(of: utc), answer: .mtk(740))
  }

  /// PMTK741: a position, with the time it is sent at.
  package static func position(_ position: Aiding.Position, at utc: UTCTime) -> ReceiverCommand {
    let coordinate = [
      AidingText.decimal(position.coordinate.latitude, digits: 6),
      AidingText.decimal(position.coordinate.longitude, digits: 6),
      AidingText.decimal(position.altitude, digits: 1),
    ].joined(separator: ",")
    return .sentence("PMTK741,\(coordinate),\(AidingText.fields(of: utc))", answer: .mtk(741))
  }
}

extension Airoha {
  /// PAIR590: UTC, better than three seconds.
  package static func time(_ utc: UTCTime) -> ReceiverCommand {
    .sentence("PAIR590," + AidingText.fields(of: utc), answer: .pair(590))
  }

  /// PAIR600: a position with the error's ellipse (here a circle) and its height's error.
  package static func position(_ position: Aiding.Position) -> ReceiverCommand {
    let accuracy = AidingText.decimal(position.accuracy, digits: 1)
    let fields = [
      AidingText.decimal(position.coordinate.latitude, digits: 6),
      AidingText.decimal(position.coordinate.longitude, digits: 6),
      AidingText.decimal(position.altitude, digits: 1), accuracy, accuracy, "0", accuracy,
    ]
    return .sentence("PAIR600," + fields.joined(separator: ","), answer: .pair(600))
  }
}

import Bytes
import GNSSWire

/// What a frame says of the time, and what kind of frame it is.
struct FrameClock {
  enum Source { case nmea, ubx }

  /// A time that comes round: every day in NMEA, every week in UBX.
  struct Reading: Equatable {
    let source: Source
    let milliseconds: Int64

    func passed(since before: Reading) -> Duration {
      let round: Int64 = source == .nmea ? 86_400_000 : 604_800_000
      let step = milliseconds - before.milliseconds
      return .milliseconds(step < 0 ? step + round : step)
    }
  }

  enum Time {
    case said(Reading)
    /// There is a field for it, with nothing in it.
    case blank
    case none
  }

  let time: Time
  /// The same for all frames of one message type.
  let kind: UInt64
  /// Whether there is one of its kind in an epoch.
  let isSingle: Bool
  let byteCount: Int

  init(of frame: ByteView) {
    byteCount = frame.count
    if frame.count > 8, frame[0] == UBXFrame.sync1 {
      kind = UInt64(frame[2]) << 8 | UInt64(frame[3])
      isSingle = frame[2] == 0x01
      time = Self.timeOfWeek(frame)
    } else {
      let end = frame.firstIndex(of: UInt8(ascii: ",")) ?? min(frame.count, 6)
      let address = frame.extracting(0..<min(end, 8))
      kind = address.copied().reduce(0) { $0 << 8 | UInt64($1) }
      let formatter = address.extracting(max(0, address.count - 3)..<address.count)
      isSingle = !["GSV", "GSA", "TXT"].contains { formatter.elementsEqual($0) }
      time = Self.timeOfDay(frame, formatter)
    }
  }

  /// The messages of class NAV that begin with the time of week. u-blox M8 protocol specification.
  private static let timedMessages: Set<UInt8> = [
    0x01, 0x02, 0x03, 0x04, 0x06, 0x07, 0x11, 0x12, 0x20, 0x21, 0x22, 0x26, 0x30, 0x35, 0x43, 0x61,
  ]

  private static func timeOfWeek(_ frame: ByteView) -> Time {
    guard frame[2] == 0x01, timedMessages.contains(frame[3]), frame.count >= 12 else {
      return .none
    }
    let milliseconds = Int64(frame.littleEndian(at: UBXFrame.headerByteCount, as: UInt32.self))
    return .said(Reading(source: .ubx, milliseconds: milliseconds))
  }

  /// In which field the sentences have their time. NMEA 0183.
  private static func timeOfDay(_ frame: ByteView, _ formatter: ByteView) -> Time {
    let field: Int
    if formatter.elementsEqual("GLL") {
      field = 5
    } else if ["RMC", "GGA", "GNS", "GST", "ZDA"].contains(where: { formatter.elementsEqual($0) }) {
      field = 1
    } else {
      return .none
    }
    var start = 0
    for _ in 0..<field {
      guard let comma = frame.firstIndex(of: UInt8(ascii: ","), from: start) else { return .blank }
      start = comma + 1
    }
    return milliseconds(frame, from: start).map { .said(Reading(source: .nmea, milliseconds: $0)) }
      ?? .blank
  }

  /// Reads `hhmmss` with any number of decimals, of which three count.
  private static func milliseconds(_ frame: ByteView, from start: Int) -> Int64? {
    var digits: [Int64] = []
    var index = start
    while index < frame.count, digits.count < 9 {
      switch frame[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int64(frame[index]) - 48)
      case UInt8(ascii: ".") where digits.count == 6: break
      default: index = frame.count
      }
      index += 1
    }
    guard digits.count >= 6 else { return nil }
    digits += [Int64](repeating: 0, count: 9 - digits.count)
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    let seconds = (hours * 60 + minutes) * 60 + digits[4] * 10 + digits[5]
    return seconds * 1000 + digits[6] * 100 + digits[7] * 10 + digits[8]
  }
}

import Bytes
import GNSS
import GNSSWire
import ReceiverControl

/// Answers of the families that are identified and configured little. Sources: ST Teseo software
/// manual as quoted by public drivers; gpsd's drivers for SkyTraq and Allystar.
extension SimulatedReceiver {
  /// What was done is sent back as it was asked.
  mutating func obeyPSTM(_ fields: [Substring], at now: Monotonic) {
    let first = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    switch fields[0] {
    case "PSTMGETSWVER":
      for library in kind.firmware.split(separator: " ") { say("PSTMVER,\(library)", at: now) }
    case "PSTMFORCESTANDBY" where first > 0:
      say(fields.joined(separator: ","), at: now)
      return fallAsleep(.teseoStandby, for: .seconds(first), at: now)
    case "PSTMHOT": return navigation.restart(.hot, at: now)
    case "PSTMWARM": return navigation.restart(.warm, at: now)
    case "PSTMCOLD": return navigation.restart(.cold, at: now)
    default: return say("\(fields[0])ERROR", at: now)
    }
    say(fields.joined(separator: ","), at: now)
  }

  /// MON-VER in u-blox's form behind other sync bytes: software and hardware, 16 bytes each
  /// (unverified).
  mutating func obeyAllystar(_ frame: [UInt8], at now: Monotonic) {
    guard frame.count == 8, frame[2] == 0x0a, frame[3] == 0x04 else { return }
    var answer = OutputBuffer()
    answer.appendUBX(
      messageClass: 0x0a, id: 0x04, payload: field(kind.firmware, 16) + field(kind.model, 16))
    reply([0xf1, 0xd9] + answer.bytes.dropFirst(2), at: now)
  }

  /// The acknowledgement of a query for the version, and the version: kernel, maker's and revision.
  mutating func obeySkyTraq(_ frame: [UInt8], at now: Monotonic) {
    guard frame.count >= 9, frame[4] == 0x02 else { return }
    reply(Self.skyTraq([0x83, 0x02]), at: now)
    let version: [UInt8] = [0, 2, 5, 1, 0, 2, 1, 7, 0, 26, 3, 2]
    reply(Self.skyTraq([0x80, 0x01] + version), at: now)
  }

  private static func skyTraq(_ payload: [UInt8]) -> [UInt8] {
    let length = UInt16(truncatingIfNeeded: payload.count)
    return [0xa0, 0xa1, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + payload
      + [payload.reduce(0, ^), 0x0d, 0x0a]
  }

  func field(_ text: String, _ count: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(count))
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }
}

import Bytes
import GNSS
import GNSSWire
import ReceiverControl

/// Takes help for a cold start, and gives its navigation database away. Source: u-blox M8 protocol
/// specification, UBX-MGA.
extension SimulatedReceiver {
  private static let databaseHeaderByteCount = 12

  mutating func obeyAid(_ type: UBXMessageType, _ payload: [UInt8], at now: Monotonic) {
    switch type {
    case .mgaINI where payload.count == 24 && payload[0] == 0x10:
      navigation.learnTime(at: now)
      acknowledgeAid(type, payload, isUsed: true, at: now)
    case .mgaINI: acknowledgeAid(type, payload, isUsed: payload.count == 20, at: now)
    case .mgaDBD where payload.isEmpty: sendDatabase(at: now)
    case .mgaDBD:
      let isUsed = restore(payload, at: now)
      acknowledgeAid(type, payload, isUsed: isUsed, at: now)
    default: break
    }
  }

  /// A message for each satellite, and how many there were. What is in them is the maker's secret;
  /// here it is when the ephemerides were read, by the receiver's own clock.
  private mutating func sendDatabase(at now: Monotonic) {
    var count: UInt32 = 0
    if let read = navigation.ephemerides {
      let time = (clockStart + (read - .zero)).microseconds
      for svid: UInt8 in 1...UInt8(SimulatedSky.usedCount) {
        var message = OutputBuffer()
        message.append(count: Self.databaseHeaderByteCount, of: 0)
        message.append(littleEndian: time)
        message.append(byte: svid)
        reply(.mgaDBD, message.bytes, at: now)
        count += 1
      }
    }
    var last = OutputBuffer()
    last.append(bytes: [1, 0, 0, 0x80])
    last.append(littleEndian: count)
    reply(.mgaACK, last.bytes, at: now)
  }

  private mutating func restore(_ payload: [UInt8], at now: Monotonic) -> Bool {
    guard payload.count == Self.databaseHeaderByteCount + 9 else { return false }
    let bytes = payload[Self.databaseHeaderByteCount..<(Self.databaseHeaderByteCount + 8)]
    let time = UTCTime(microseconds: bytes.reversed().reduce(0) { $0 << 8 | Int64($1) })
    let age = clockStart + (now - .zero) - time
    guard age >= .zero else { return false }
    return navigation.learnEphemerides(age: age, at: now)
  }

  /// Unless it was asked for, no aid is acknowledged.
  private mutating func acknowledgeAid(
    _ type: UBXMessageType, _ payload: [UInt8], isUsed: Bool, at now: Monotonic
  ) {
    guard memory.acknowledgesAids, !losesAcknowledgement() else { return }
    let start = payload.prefix(4) + [UInt8](repeating: 0, count: max(0, 4 - payload.count))
    reply(.mgaACK, [isUsed ? 1 : 0, 0, isUsed ? 0 : 1, type.id] + start, at: now)
  }
}

import Bytes
import GNSS
import GNSSWire

/// What a receiver says of its antenna and of what drowns the satellites.
package struct ReceiverHealth: Equatable, Sendable {
  package enum Antenna: String, Sendable {
    case ok
    /// It takes no current.
    case open
    case short
  }

  /// `nil` where it does not know.
  package private(set) var antenna: Antenna?
  /// Whether it reports interference that costs fixes; `nil` where it does not say.
  package private(set) var isJammed: Bool?

  package init() {}

  package mutating func take(_ heard: Heard) {
    switch heard {
    case .ubx(.monHW, let payload): payload.withByteView { takeHardware($0) }
    case .ubx(.monRF, let payload): payload.withByteView { takeRadio($0) }
    case .sentence(let text): takeSentence(text)
    default: break
    }
  }

  /// UBX-MON-HW: 68 bytes of u-blox 5 and 6, 60 since. Source: u-blox M8 protocol specification.
  private mutating func takeHardware(_ payload: ByteView) {
    guard payload.count == 60 || payload.count == 68 else { return }
    antenna = Self.antenna(status: payload[20])
    isJammed = Self.isJammed(state: payload[22] >> 2 & 3)
  }

  /// UBX-MON-RF, of u-blox 9 and later: a block a radio. Source: u-blox F9 HPG 1.32 interface
  /// description.
  private mutating func takeRadio(_ payload: ByteView) {
    let (headByteCount, blockByteCount) = (4, 24)
    guard payload.count >= headByteCount + blockByteCount,
      payload.count == headByteCount + Int(payload[1]) * blockByteCount
    else { return }
    // The radios share one antenna; what disturbs one of them is enough.
    antenna = Self.antenna(status: payload[headByteCount + 2])
    let states = stride(from: headByteCount, to: payload.count, by: blockByteCount)
      .compactMap { Self.isJammed(state: payload[$0 + 1] & 3) }
    isJammed = states.isEmpty ? nil : states.contains(true)
  }

  /// 0 starting, 1 unknown, 2 OK, 3 short, 4 open.
  private static func antenna(status: UInt8) -> Antenna? {
    switch status {
    case 2: .ok
    case 3: .short
    case 4: .open
    default: nil
    }
  }

  /// 0 unknown or switched off, 1 none, 2 interference but a fix, 3 critical: no fix.
  private static func isJammed(state: UInt8) -> Bool? { state == 0 ? nil : state == 3 }

  /// Texts of u-blox (`ANTSTATUS=OPEN`) and CASIC (`ANTENNA OPEN`), and MediaTek's `PGTOP,11,3` and
  /// `PCD,11,3`: 1 a fault, 2 the inner antenna, 3 the outer one.
  private mutating func takeSentence(_ text: String) {
    if text.hasPrefix("PGTOP,11,") || text.hasPrefix("PCD,11,") {
      switch text.utf8.last {
      case UInt8(ascii: "1"): antenna = .short
      case UInt8(ascii: "2"), UInt8(ascii: "3"): antenna = .ok
      default: break
      }
      return
    }
    guard let word = text.split(separator: ",").last,
      let value = ["ANTSTATUS=", "ANTENNA "].lazy.filter(word.hasPrefix).first
    else { return }
    switch word.dropFirst(value.utf8.count) {
    case "OK": antenna = .ok
    case "OPEN": antenna = .open
    case "SHORT": antenna = .short
    default: antenna = nil
    }
  }
}

extension ReceiverPilot {
  /// Between two questions to the receiver about its antenna.
  package static let healthInterval = Duration.seconds(60)

  /// Asks a receiver that says nothing of its antenna by itself.
  mutating func askHealth(at now: Monotonic) -> [Command] {
    guard duty != nil, transfer == nil, now >= healthDue, let version = model?.ublox else {
      return []
    }
    healthDue = now + Self.healthInterval
    let address: UBXMessageType = version.generation >= .nine ? .monRF : .monHW
    return write(ReceiverCommand.poll(address).bytes)
  }
}

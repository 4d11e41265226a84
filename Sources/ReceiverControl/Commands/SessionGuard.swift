import Bytes
import GNSSWire

/// The last look at what goes to a receiver: refuses what would end the session for good or wear
/// the receiver out, whoever composed it. The daemon's write to a port goes through here.
package struct SessionGuard: Equatable, Sendable {
  /// Whether a pin that wakes an Airoha receiver is wired.
  package var hasWakePin: Bool
  /// Whether the port is the receiver's own USB: its backup mode then takes the port away.
  package var isNativeUSB: Bool

  package init(hasWakePin: Bool, isNativeUSB: Bool) {
    (self.hasWakePin, self.isNativeUSB) = (hasWakePin, isNativeUSB)
  }

  package enum Refusal: String, Equatable, Sendable {
    case wakesByPinOnly = "only a pin would wake the receiver, and none is wired"
    case freezes = "it froze receivers of this family until their supply was cut"
    case sleepsForEver = "it has no end"
    case losesUSB = "the receiver would leave the USB port and nothing there wakes it"
    case writesFlash = "it would write the receiver's flash"
  }

  /// Why these bytes must not be sent; `nil` where they may. Finds frames and sentences anywhere in
  /// them.
  package func refusal(of bytes: [UInt8]) -> Refusal? {
    bytes.withByteView { view in
      for index in view.indices {
        switch view[index] {
        case UInt8(ascii: "$"):
          if let refusal = sentenceRefusal(view, from: index + 1) { return refusal }
        case UBXFrame.sync1:
          if let refusal = ubxRefusal(view, from: index) { return refusal }
        case 0xa0:
          // OSP "shutdown" (message 205, 16): SiRF wakes by its ON_OFF pin only.
          if matches(view, at: index, [0xa0, 0xa2, 0x00, 0x02, 0xcd, 0x10]) {
            return .wakesByPinOnly
          }
        default: break
        }
      }
      return nil
    }
  }

  private func matches(_ view: ByteView, at start: Int, _ pattern: [UInt8]) -> Bool {
    view.count - start >= pattern.count
      && pattern.indices.allSatisfy { view[start + $0] == pattern[$0] }
  }

  private func sentenceRefusal(_ view: ByteView, from start: Int) -> Refusal? {
    var end = start
    while end < view.count, view[end] != UInt8(ascii: "*"), view[end] >= 0x20 { end += 1 }
    let fields = view.extracting(start..<end).text.split(
      separator: ",", omittingEmptySubsequences: false)
    let argument = fields.count > 1 ? Int(fields[1]) : nil
    switch fields.first {
    case "PMTK291": return .freezes
    // 4 is perpetual backup; 1 and 9 fall into backup between their fixes.
    case "PMTK225" where [4, 1, 9].contains(argument), "PSRF117": return .wakesByPinOnly
    case "PAIR650" where !hasWakePin: return .wakesByPinOnly
    case "PCAS00", "PAIR513", "PQTMSAVEPAR", "PSTMSAVEPAR", "CFGSAVE": return .writesFlash
    default: return nil
    }
  }

  private func ubxRefusal(_ view: ByteView, from start: Int) -> Refusal? {
    let payload = start + UBXFrame.headerByteCount
    guard view.count >= payload, view[start + 1] == UBXFrame.sync2 else { return nil }
    let count = min(Int(view.littleEndian(at: start + 4, as: UInt16.self)), view.count - payload)
    switch UBXMessageType(view[start + 2], view[start + 3]) {
    case .rxmPMREQ:
      if isNativeUSB { return .losesUSB }
      let offset = count >= 16 ? 4 : 0
      guard count >= 8 else { return nil }
      let span = view.littleEndian(at: payload + offset, as: UInt32.self)
      return span == 0 ? .sleepsForEver : nil
    case .cfgPWR:
      guard count >= 8, view.littleEndian(at: payload + 4, as: UInt32.self) == 0x4243_4b50 else {
        return nil
      }
      return isNativeUSB ? .losesUSB : .sleepsForEver
    case .cfgVALSET: return count >= 2 && view[payload + 1] & 4 != 0 ? .writesFlash : nil
    // UBX-CFG-CFG with anything in its save mask.
    case .cfgCFG:
      guard count >= 8, view.littleEndian(at: payload + 4, as: UInt32.self) != 0 else { return nil }
      return .writesFlash
    default: return nil
    }
  }
}

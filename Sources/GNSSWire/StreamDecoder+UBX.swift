import Bytes
import GNSS

extension StreamDecoder {
  /// Takes the frame at `offset`, if all of it is there and its checksum fits.
  /// - Returns: Where it ends.
  @inline(never)  // So that the loop that looks for frames stays small.
  mutating func takeUBX(
    _ view: ByteView, at offset: Int, first: Monotonic, _ now: Monotonic,
    report: (StreamReport) -> Void
  ) -> Int? {
    guard let (type, end) = FrameScanner.wholeUBX(view, at: offset) else { return nil }
    let arrival = Arrival(type: MessageType(.ubx, number: type.code), first: first, last: now)
    let payload = view.extracting(
      (offset &+ UBXFrame.headerByteCount)..<(end &- UBXFrame.checksumByteCount))
    identify(.ublox, report)
    if take(type, UBXPayload(payload), arrival, report: report) {
      tallies.accept(arrival.type, of: .ubx)
      if type.messageClass == 0x01 { tallies.ubxNavigation &+= 1 }
    } else {
      reject(.structure, at: now)
    }
    return end
  }

  /// - Returns: Whether the payload's length fits the message; unknown messages' do.
  @inline(__always)
  private mutating func take(
    _ type: UBXMessageType, _ payload: UBXPayload, _ arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    // A poll that was echoed has nothing to say.
    guard payload.count > 0 else { return true }
    switch type.messageClass {
    case 0x01, 0x28: return takeNavigation(type, payload, arrival, report: report)
    default: return takeOther(type, payload, arrival, report: report)
    }
  }

  private mutating func takeOther(
    _ type: UBXMessageType, _ payload: UBXPayload, _ arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    switch type.messageClass {
    case 0x05:
      guard payload.count >= 2 else { return false }
      let subject = UBXMessageType(messageClass: payload.bytes[0], id: payload.bytes[1])
      switch type.id {
      case 0x01: report(.reply(.acknowledged(subject)))
      case 0x00: report(.reply(.refused(subject)))
      default: break
      }
    case 0x04:
      if identifier.take(text: payload.bytes) { report(.receiver(identity)) }
      report(.reply(.ubx(type, payload: payload.bytes)))
    case 0x0a where type.id == 0x04:
      if identifier.takeMonVer(payload.bytes) { report(.receiver(identity)) }
      report(.reply(.ubx(type, payload: payload.bytes)))
    case 0x27 where type.id == 0x03:
      if identifier.takeUniqueID(payload.bytes) { report(.receiver(identity)) }
      report(.reply(.ubx(type, payload: payload.bytes)))
    case 0x06, 0x09, 0x0a, 0x13, 0x21, 0x27:
      report(.reply(.ubx(type, payload: payload.bytes)))
    default: break
    }
    return true
  }

  @inline(__always)
  private mutating func takeNavigation(
    _ type: UBXMessageType, _ payload: UBXPayload, _ arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    let leaps = assembler.leapSeconds
    switch type.code {
    case 0x0107:
      let utc = payload.utcOfPVT
      take(payload, arrival, utc: utc, report: report) {
        $0.mergePVT($1)
        $0.mergePVTTime($1, utc, leaps)
      }
    case 0x0102: take(payload, arrival, report: report) { $0.mergePOSLLH($1) }
    case 0x0103: take(payload, arrival, report: report) { $0.mergeStatus($1) }
    case 0x0104: take(payload, arrival, solution: false, report: report) { $0.mergeDOP($1) }
    case 0x0106:
      take(payload, arrival, report: report) {
        $0.mergeSOL($1)
        $0.mergeSOLTime($1, leaps)
      }
    case 0x0112: take(payload, arrival, report: report) { $0.mergeVELNED($1) }
    case 0x0114:
      let iTOW = payload[NavHPPOSLLH.iTOWMilliseconds]
      take(payload, arrival, iTOW: iTOW, report: report) { $0.mergeHPPOSLLH($1) }
    case 0x0120:
      if payload[NavTIMEGPS.valid] & 4 != 0 {
        assembler.leapSeconds.learn(payload[NavTIMEGPS.leapSeconds])
      }
      let leaps = assembler.leapSeconds
      take(payload, arrival, report: report) { $0.mergeTIMEGPS($1, leaps) }
    case 0x0121: take(payload, arrival, report: report) { $0.mergeTIMEUTC($1) }
    case 0x0126:
      let source = payload[NavTIMELS.source]
      if payload[NavTIMELS.valid] & 1 != 0, source != 0, source != 255 {
        assembler.leapSeconds.learn(payload[NavTIMELS.leapSeconds])
      }
      take(payload, arrival, solution: false, report: report) { _, _ in }
    case 0x0130: return takeSatellites(payload, arrival, .svinfo, report: report)
    case 0x0135: return takeSatellites(payload, arrival, .sat, report: report)
    case 0x0143: return takeSatellites(payload, arrival, .sig, report: report)
    case 0x0136: take(payload, arrival, solution: false, report: report) { $0.mergeCOV($1) }
    case 0x0161: assembler.endOfEpoch(report: report)
    case 0x2800: take(payload, arrival, report: report) { $0.mergeHNR($1) }
    default: break
    }
    return true
  }

  private mutating func take(
    _ payload: UBXPayload, _ arrival: Arrival, iTOW: UInt32? = nil, utc: UTCTime? = nil,
    solution: Bool = true, report: (StreamReport) -> Void,
    merge: (inout EpochDraft, UBXPayload) -> Void
  ) {
    let iTOW = iTOW ?? payload[NavPVT.iTOWMilliseconds]
    guard assembler.begin(iTOW: iTOW, utc: utc, from: arrival, solution: solution, report: report)
    else { return }
    merge(&assembler.draft, payload)
    assembler.taken(arrival.type, report: report)
  }

  private enum SatelliteMessage { case sat, sig, svinfo }

  private mutating func takeSatellites(
    _ payload: UBXPayload, _ arrival: Arrival, _ message: SatelliteMessage,
    report: (StreamReport) -> Void
  ) -> Bool {
    let blockByteCount = message == .sig ? NavSIG.blockByteCount : NavSAT.blockByteCount
    let count = Int(message == .svinfo ? payload[NavSVINFO.count] : payload[NavSAT.count])
    guard payload.count == NavSAT.headByteCount + count * blockByteCount else { return false }
    let isWanted = assembler.begin(
      iTOW: payload[NavSAT.iTOWMilliseconds], from: arrival, solution: false, report: report)
    switch message {
    case .sat: assembler.satellites.takeSAT(payload, count: count)
    case .sig: assembler.satellites.takeSIG(payload, count: count)
    case .svinfo: assembler.satellites.takeSVINFO(payload, count: count)
    }
    if isWanted { assembler.taken(arrival.type, report: report) }
    return true
  }
}

import Bytes
import GNSS

extension StreamDecoder {
  /// - Returns: Whether the payload's length fits the message; unknown messages' do.
  mutating func takeCASIC(
    _ type: UBXMessageType, _ payload: UBXPayload, _ arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    guard payload.count > 0 else { return true }
    switch type.code {
    case 0x0101:
      guard payload.count >= CASICNavDOP.byteCount else { return false }
      return takeCASIC(payload, arrival, solution: false, report: report) {
        $0.mergeCASICDilution($1)
      }
    case 0x0103:
      guard payload.count >= CASICNavPV.byteCount else { return false }
      return takeCASIC(payload, arrival, report: report) { $0.mergeCASICPosition($1) }
    case 0x0110:
      guard payload.count >= CASICNavTIMEUTC.byteCount else { return false }
      let utc = payload.utcOfCASIC
      let second = payload[CASICNavTIMEUTC.second]
      return takeCASIC(payload, arrival, utc: utc, report: report) { draft, _ in
        draft.set(time: utc, second: second)
      }
    case 0x0120: return takeCASICSatellites(payload, .gps, arrival, report: report)
    case 0x0121: return takeCASICSatellites(payload, .beidou, arrival, report: report)
    case 0x0122: return takeCASICSatellites(payload, .glonass, arrival, report: report)
    default: break
    }
    if type.code == 0x0a04, identifier.takeCASICVersion(payload.bytes) {
      report(.receiver(identity))
    }
    if type.messageClass != 0x01, type.messageClass != 0x03 {
      report(.reply(.casic(type, payload: payload.bytes)))
    }
    return true
  }

  private mutating func takeCASIC(
    _ payload: UBXPayload, _ arrival: Arrival, utc: UTCTime? = nil, solution: Bool = true,
    report: (StreamReport) -> Void, merge: (inout EpochDraft, UBXPayload) -> Void
  ) -> Bool {
    let runTime = payload[CASICNavPV.runTimeMilliseconds]
    if assembler.begin(iTOW: runTime, utc: utc, from: arrival, solution: solution, report: report) {
      merge(&assembler.draft, payload)
      assembler.taken(arrival.type, report: report)
    }
    return true
  }

  private mutating func takeCASICSatellites(
    _ payload: UBXPayload, _ constellation: Constellation, _ arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    guard payload.count >= CASICNavINFO.headByteCount else { return false }
    let count = Int(payload[CASICNavINFO.count])
    guard payload.count == CASICNavINFO.headByteCount + count * CASICNavINFO.blockByteCount else {
      return false
    }
    let isWanted = assembler.begin(
      iTOW: payload[CASICNavPV.runTimeMilliseconds], from: arrival, solution: false,
      report: report)
    assembler.satellites.takeCASIC(payload, count: count, of: constellation)
    if isWanted { assembler.taken(arrival.type, report: report) }
    return true
  }
}

import Bytes
import GNSS

extension StreamDecoder {
  /// Takes a maker's own sentence, or one of an unknown address: those not read here are for the
  /// receiver's control.
  mutating func takeProprietary(
    _ body: ByteView, _ address: SentenceAddress, _ fields: inout SentenceFields,
    _ arrival: Arrival, report: (StreamReport) -> Void
  ) -> Bool {
    assembler.extend(to: arrival.last)
    var words = fields
    if identifier.take(address, body, &words) { report(.receiver(identity)) }
    switch address.code {
    case SentenceAddress.pubx: return takeUblox(&fields, arrival, report: report)
    case SentenceAddress.pgrme:
      if assembler.isOpen { assembler.draft.merge(ErrorEstimate(garmin: &fields)) }
    case SentenceAddress.pqtmepe:
      if assembler.isOpen { assembler.draft.merge(ErrorEstimate(quectel: &fields)) }
    case SentenceAddress.psrfepe:
      if assembler.isOpen { assembler.draft.merge(ErrorEstimate(sirf: &fields)) }
    case SentenceAddress.pashr:
      if let attitude = HeadingSentence.ashtech(&fields), assembler.isOf(attitude.time) {
        assembler.take(heading: attitude.heading)
      }
    default: report(.reply(.sentence(body)))
    }
    return true
  }

  private mutating func takeUblox(
    _ fields: inout SentenceFields, _ arrival: Arrival, report: (StreamReport) -> Void
  ) -> Bool {
    switch fields.integer() {
    case 0: return takeTimed(fields, arrival, report) { $0.merge($1 as UbloxPosition) }
    case 3:
      let isWanted = assembler.join(arrival)
      guard assembler.satellites.takeUblox(&fields) else { return false }
      if isWanted { assembler.taken(arrival.type, report: report) }
    case 4:
      guard let sentence = UbloxTime(fields) else { return false }
      if let date = sentence.date, let time = sentence.time {
        _ = assembler.tell(date, of: time, from: arrival, report: report)
      }
    default: break
    }
    return true
  }
}

extension SentenceAddress {
  static let pubx: UInt64 = 0x5055_4258
  static let pgrme: UInt64 = 0x50_4752_4d45
  static let pashr: UInt64 = 0x50_4153_4852
  static let pqtmepe: UInt64 = 0x50_5154_4d45_5045
  static let psrfepe: UInt64 = 0x50_5352_4645_5045
}

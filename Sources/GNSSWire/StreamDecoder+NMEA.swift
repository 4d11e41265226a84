import Bytes
import GNSS

extension StreamDecoder {
  /// Takes a sentence whose checksum fits.
  /// - Parameters:
  ///   - view: What holds it.
  ///   - start: Where its body starts, behind the dollar sign.
  ///   - star: Where the star stands that ends its body.
  mutating func take(
    _ view: ByteView, sentence start: Int, to star: Int, first: Monotonic, at now: Monotonic,
    report: (StreamReport) -> Void
  ) {
    let (address, offset) =
      SentenceAddress.ofTalker(view, at: start, toStar: star)
      ?? SentenceAddress.parse(view.extracting(start..<star))
    let arrival = Arrival(type: MessageType(address), first: first, last: now)
    // An address alone has no fields: a query or a torn sentence with a lucky checksum.
    let isSound =
      start &+ offset > star
      ? address.formatter.code == 0
      : take(
        SentenceFields(view, from: start &+ offset, toStar: star), of: start, address, arrival,
        report: report)
    if isSound {
      tallies.accept(arrival.type, of: .nmea)
    } else {
      reject(.structure, at: now)
    }
  }

  /// - Returns: Whether the sentence's structure is sound; unknown sentences are.
  private mutating func take(
    _ fields: SentenceFields, of start: Int, _ address: SentenceAddress, _ arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    switch address.formatter {
    case .gsv: return takeGSV(fields, address, arrival, report: report)
    case .gsa: return takeGSA(fields, address, arrival, report: report)
    case .rmc: return takeTimed(fields, arrival, report) { $0.merge($1 as RMC) }
    case .gga: return takeTimed(fields, arrival, report) { $0.merge($1 as GGA) }
    case .gns: return takeTimed(fields, arrival, report) { $0.merge($1 as GNS) }
    case .gll: return takeTimed(fields, arrival, report) { $0.merge($1 as GLL) }
    case .gst: return takeTimed(fields, arrival, report) { $0.merge($1 as GST) }
    case .vtg: return takeVTG(fields, arrival, report: report)
    default: return takeOther(fields, of: start, address, arrival, report: report)
    }
  }

  @inline(never)
  private mutating func takeOther(
    _ all: SentenceFields, of start: Int, _ address: SentenceAddress, _ arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    var fields = all
    let body = fields.view.extracting(start..<fields.end)
    switch address.formatter {
    case .zda:
      guard let sentence = ZDA(fields) else { return false }
      if let date = sentence.date, let time = sentence.time,
        assembler.tell(date, of: time, from: arrival, report: report)
      {
        assembler.taken(arrival.type, report: report)
      }
    case .gbs:
      guard let sentence = GBS(fields) else { return false }
      if assembler.isOf(sentence.time) { assembler.draft.merge(sentence) }
    case .hdt, .ths: assembler.take(heading: HeadingSentence.trueHeading(&fields))
    case .hdg: assembler.take(heading: HeadingSentence.magnetic(&fields))
    case .dtm: assembler.take(isOtherDatum: DatumSentence.isOther(&fields))
    case .txt:
      if identifier.take(address, body, &fields) { report(.receiver(identity)) }
      report(.reply(.sentence(body)))
    default:
      if address.formatter.code == 0 {
        return takeProprietary(body, address, &fields, arrival, report: report)
      }
    }
    return true
  }

  /// Takes a sentence that reports a solution, or its errors, with its time of day.
  @inline(never)  // One function for each, that reads and merges it in place.
  mutating func takeTimed<Sentence: TimedSentence>(
    _ fields: SentenceFields, _ arrival: Arrival, _ report: (StreamReport) -> Void,
    merge: (inout EpochDraft, Sentence) -> Void
  ) -> Bool {
    guard let sentence = Sentence(fields) else { return false }
    if assembler.begin(sentence.time, from: arrival, solution: true, report: report) {
      _ = assembler.draft.admits()
      merge(&assembler.draft, sentence)
      assembler.taken(arrival.type, report: report)
    }
    return true
  }

  @inline(never)
  private mutating func takeVTG(
    _ fields: SentenceFields, _ arrival: Arrival, report: (StreamReport) -> Void
  ) -> Bool {
    guard let sentence = VTG(fields) else { return false }
    if assembler.join(arrival), assembler.draft.admits(isMotion: true) {
      assembler.draft.merge(sentence)
      assembler.taken(arrival.type, report: report)
    }
    return true
  }

  @inline(never)
  private mutating func takeGSA(
    _ fields: SentenceFields, _ address: SentenceAddress, _ arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    guard let sentence = GSA(fields) else { return false }
    let isWanted = assembler.join(arrival)
    assembler.satellites.take(sentence, talker: address.talker)
    if isWanted, assembler.draft.admits(isGeometry: true) {
      assembler.draft.merge(sentence)
      assembler.taken(arrival.type, report: report)
    }
    return true
  }

  private mutating func takeGSV(
    _ all: SentenceFields, _ address: SentenceAddress, _ arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    var fields = all
    guard let sentence = GSV(&fields) else { return false }
    let result = assembler.satellites.take(sentence, fields, talker: address.talker)
    guard result != .torn else { return false }
    let isWanted = assembler.join(arrival)
    if isWanted { _ = assembler.draft.admits() }
    if isWanted, result == .complete { assembler.taken(arrival.type, report: report) }
    return true
  }
}

extension SentenceAddress.Formatter {
  static let rmc = Self(code: 0x524d43)
  static let dtm = Self(code: 0x44544d)
  static let gbs = Self(code: 0x474253)
  static let gga = Self(code: 0x474741)
  static let gns = Self(code: 0x474e53)
  static let gll = Self(code: 0x474c4c)
  static let gsa = Self(code: 0x475341)
  static let gst = Self(code: 0x475354)
  static let gsv = Self(code: 0x475356)
  static let hdg = Self(code: 0x484447)
  static let hdt = Self(code: 0x484454)
  static let ths = Self(code: 0x544853)
  static let txt = Self(code: 0x545854)
  static let vtg = Self(code: 0x565447)
  static let zda = Self(code: 0x5a4441)
}

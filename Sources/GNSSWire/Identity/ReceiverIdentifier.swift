import Bytes

/// Gathers who a receiver is from what it says of itself, asked or not. Known words are compared
/// as bytes, so that a text repeated every second costs no memory.
struct ReceiverIdentifier {
  private(set) var identity = ReceiverIdentity()

  /// No name or version is kept longer than this, in bytes.
  private static let textByteCountMax = 64

  /// Takes a sentence's fields behind its address.
  /// - Returns: Whether more is known than before.
  mutating func take(
    _ address: SentenceAddress, _ body: ByteView, _ fields: inout SentenceFields
  ) -> Bool {
    if address.formatter == .txt {
      fields.skip(3)
      return take(text: fields.rest())
    }
    // By the first four letters, as most sentences of their own say nothing of the receiver.
    guard body.count >= 4 else { return false }
    switch UInt32(bigEndian: body.load(at: 0, as: UInt32.self)) {
    case Prefix.pmtk: return takeMediaTek(Self.address(body), &fields)
    case Prefix.pqve:
      guard Self.address(body).elementsEqual("PQVERNO") else { return false }
      fields.skip(1)
      return set(family: .mediatek) || set(.firmware, fields.text())
    case Prefix.pair: return takeAiroha(Self.address(body), &fields)
    case Prefix.pqtm:
      return Self.address(body).starts(with: "PQTMVER") && set(.model, fields.text())
    case Prefix.pstm: return takeTeseo(Self.address(body), &fields)
    case Prefix.pdti:
      return Self.address(body).elementsEqual("PDTINFO") && takeUnicore(&fields)
    case Prefix.pubx: return set(family: .ublox)
    case Prefix.psrf: return set(family: .sirf)
    case Prefix.pgrm: return set(family: .garmin)
    case Prefix.psti: return set(family: .skytraq)
    default: return false
    }
  }

  /// What a maker's own addresses begin with, the first letter in the highest byte.
  private enum Prefix {
    static let pair: UInt32 = 0x5041_4952
    static let pdti: UInt32 = 0x5044_5449
    static let pgrm: UInt32 = 0x5047_524d
    static let pmtk: UInt32 = 0x504d_544b
    static let pqtm: UInt32 = 0x5051_544d
    static let pqve: UInt32 = 0x5051_5645
    static let psrf: UInt32 = 0x5053_5246
    static let psti: UInt32 = 0x5053_5449
    static let pstm: UInt32 = 0x5053_544d
    static let pubx: UInt32 = 0x5055_4258
  }

  private static func address(_ body: ByteView) -> ByteView {
    body.extracting(0..<(body.firstIndex(of: UInt8(ascii: ",")) ?? body.count))
  }

  private mutating func takeMediaTek(_ address: ByteView, _ fields: inout SentenceFields) -> Bool {
    var isNew = set(family: .mediatek)
    guard address.elementsEqual("PMTK705") else { return isNew }
    isNew = set(.firmware, fields.text()) || isNew
    fields.skip(1)
    return set(.model, fields.text()) || isNew
  }

  private mutating func takeAiroha(_ address: ByteView, _ fields: inout SentenceFields) -> Bool {
    let isNew = set(family: .airoha)
    guard address.elementsEqual("PAIR020") || address.elementsEqual("PAIR021") else {
      return isNew
    }
    return set(.model, fields.text()) || isNew
  }

  private mutating func takeTeseo(_ address: ByteView, _ fields: inout SentenceFields) -> Bool {
    let isNew = set(family: .teseo)
    guard address.elementsEqual("PSTMVER") else { return isNew }
    // One sentence a library; the one of the navigation engine names the firmware.
    let text = fields.text()
    return text.starts(with: "GNSSLIB") ? set(.firmware, text) || isNew : isNew
  }

  /// `PDTINFO`: model, configuration, hardware, software.
  private mutating func takeUnicore(_ fields: inout SentenceFields) -> Bool {
    var isNew = set(family: .unicore)
    isNew = set(.model, fields.text()) || isNew
    fields.skip(1)
    isNew = set(.hardware, fields.text()) || isNew
    return set(.firmware, fields.text()) || isNew
  }

  /// Takes a line of a start-up message: TXT sentences, UBX-INF and the extensions of MON-VER.
  mutating func take(text: ByteView) -> Bool {
    for word in Self.words where text.starts(with: word.text) {
      // The value behind the sign; a chip's name keeps its first letters.
      let sign = text.firstIndex(of: UInt8(ascii: "=")) ?? word.text.utf8CodeUnitCount - 1
      let isNew = set(family: word.family)
      return word.member.map { set($0, text.extracting((sign + 1)..<text.count)) || isNew } ?? isNew
    }
    guard text.starts(with: "ROM CORE") || text.starts(with: "EXT CORE") else { return false }
    return set(family: .ublox) || set(.firmware, text)
  }

  private struct Word: Sendable {
    var text: StaticString
    var family: ChipFamily
    var member: Member?
  }

  /// A text of the identity.
  private enum Member: Sendable { case model, firmware, hardware, protocolVersion, constellations }

  /// What a line begins with, and what follows it. Sources: u-blox M8 protocol specification,
  /// UBX-MON-VER; CASIC protocol specification, PCAS06.
  private static let words = [
    Word(text: "FWVER=", family: .ublox, member: .firmware),
    Word(text: "PROTVER=", family: .ublox, member: .protocolVersion),
    Word(text: "PROTVER ", family: .ublox, member: .protocolVersion),
    Word(text: "MOD=", family: .ublox, member: .model),
    Word(text: "u-blox", family: .ublox), Word(text: "HW UBX", family: .ublox),
    Word(text: "IC=AT", family: .casic, member: .hardware),
    Word(text: "SW=URANUS", family: .casic, member: .firmware),
    Word(text: "HW=ATGM", family: .casic, member: .model),
  ]

  /// Takes a UBX-MON-VER: software, hardware and extensions, each filled up with NUL.
  mutating func takeMonVer(_ payload: ByteView) -> Bool {
    guard payload.count >= 40, (payload.count - 40) % 30 == 0 else { return false }
    var isNew = set(family: .ublox)
    isNew = set(.hardware, Self.untilNUL(payload.extracting(30..<40))) || isNew
    var hasVersion = false
    for offset in stride(from: 40, to: payload.count, by: 30) {
      let text = Self.untilNUL(payload.extracting(offset..<(offset + 30)))
      hasVersion = hasVersion || text.starts(with: "FWVER=")
      isNew = take(text: text) || isNew
      if text.starts(with: "GPS;") { isNew = set(.constellations, text) || isNew }
    }
    if !hasVersion {
      isNew = set(.firmware, Self.untilNUL(payload.extracting(0..<30))) || isNew
    }
    return isNew
  }

  /// Takes a UBX-SEC-UNIQID: version, 3 reserved bytes and 5 or 6 of the id.
  mutating func takeUniqueID(_ payload: ByteView) -> Bool {
    guard payload.count == 9 || payload.count == 10 else { return false }
    var digits = OutputBuffer()
    for index in 4..<payload.count { digits.append(hex: UInt64(payload[index]), width: 2) }
    guard identity.uniqueID != digits.text else { return false }
    identity.uniqueID = digits.text
    return true
  }

  /// Takes a CASIC MON-VER: software and hardware of 32 bytes each.
  mutating func takeCASICVersion(_ payload: ByteView) -> Bool {
    guard payload.count >= 64 else { return false }
    var isNew = set(family: .casic)
    isNew = set(.firmware, Self.untilNUL(payload.extracting(0..<32))) || isNew
    return set(.hardware, Self.untilNUL(payload.extracting(32..<64))) || isNew
  }

  mutating func set(family: ChipFamily) -> Bool {
    guard identity.family != family else { return false }
    // A clone that answers in two languages stays what it said first.
    guard identity.family == .unknown else { return false }
    identity.family = family
    return true
  }

  private mutating func set(_ member: Member, _ value: ByteView) -> Bool {
    let value = value.extracting(0..<min(value.count, Self.textByteCountMax))
    guard !value.isEmpty else { return false }
    switch member {
    case .model: return Self.set(&identity.model, value)
    case .firmware: return Self.set(&identity.firmware, value)
    case .hardware: return Self.set(&identity.hardware, value)
    case .protocolVersion: return Self.set(&identity.protocolVersion, value)
    case .constellations: return Self.set(&identity.constellations, value)
    }
  }

  private static func set(_ known: inout String?, _ value: ByteView) -> Bool {
    if let known, value.elementsEqual(text: known) { return false }
    for index in value.indices where !(0x20...0x7e).contains(value[index]) { return false }
    known = value.text
    return true
  }

  private static func untilNUL(_ field: ByteView) -> ByteView {
    field.extracting(0..<(field.firstIndex(of: 0) ?? field.count))
  }
}

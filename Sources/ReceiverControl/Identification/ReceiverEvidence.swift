import GNSSWire

/// What a receiver gives away without being asked, and what its answers say it is.
package struct ReceiverEvidence: Equatable, Sendable {
  package private(set) var families: [ChipFamily] = []
  /// Signs of checked frames and sentences heard.
  package private(set) var heardCount = 0

  private static let families: [WireProtocol: ChipFamily] = [
    .ubx: .ublox, .casic: .casic, .allystar: .allystar, .skytraq: .skytraq, .sirf: .sirf,
  ]

  /// The beginnings of sentences that only one family sends, at start or now and then.
  private static let marks: [(String, ChipFamily)] = [
    ("PMTK", .mediatek), ("PAIR", .airoha), ("PQTM", .quectel), ("PSTM", .teseo),
    ("PDTINFO", .unicore), ("PUBX", .ublox), ("PSRF", .sirf), ("GPTXT,01,01,02,IC=AT", .casic),
    ("GPTXT,01,01,02,SW=URANUS", .casic), ("GPTXT,01,01,02,HW=ATGM", .casic),
    ("GNTXT,01,01,02,u-blox", .ublox), ("GPTXT,01,01,02,u-blox", .ublox),
    ("GNTXT,01,01,02,PROTVER", .ublox),
  ]

  package mutating func take(_ heard: Heard) {
    heardCount = min(heardCount + 1, 1_000_000)
    switch heard {
    case .ubx, .ubxNavigation: note(.ublox)
    case .casic: note(.casic)
    case .frames(let wireProtocol):
      if let family = Self.families[wireProtocol] { note(family) }
    case .epoch: break
    case .sentence(let text):
      if let mark = Self.marks.first(where: { text.hasPrefix($0.0) }) { note(mark.1) }
    }
  }

  private mutating func note(_ family: ChipFamily) {
    if !families.contains(family) { families.append(family) }
  }
}

extension ReceiverModel {
  /// What this answer to a question of the sweep says; `nil` where it says nothing.
  package init?(answer: Heard, family: ChipFamily) {
    self.init(family: family)
    switch answer {
    case .ubx(.monVER, let payload):
      guard let version = UBXVersion(payload: payload) else { return nil }
      ublox = version
      name = version.module.isEmpty ? "u-blox \(version.generation.rawValue)" : version.module
      firmware = version.firmware
      if version.isRelabelled { traits.insert(.relabelled) }
    case .sentence:
      let fields = answer.fields ?? []
      takeText(fields)
    case .casic(_, let payload):
      firmware = Self.printable(payload.prefix(Self.textByteCountMax))
    case .frames: break
    case .ubx, .ubxNavigation, .epoch: return nil
    }
  }

  /// No name or version is kept longer than this.
  package static let textByteCountMax = 64

  private mutating func takeText(_ fields: [Substring]) {
    func field(_ index: Int) -> String {
      index < fields.count ? String(fields[index].prefix(Self.textByteCountMax)) : ""
    }
    switch fields.first {
    case "PMTK705": (firmware, name) = (field(1), field(3))
    case "PQVERNO": firmware = field(2)
    case "PAIR020", "PAIR021", "PQTMVERNO", "PQTMVER": (name, firmware) = (field(1), field(1))
    case "PDTINFO": (name, firmware) = (field(1), field(4))
    case "PSTMVER": (name, firmware) = ("Teseo", field(1))
    case "GPTXT":
      let text = field(4)
      if text.hasPrefix("HW=") { name = String(text.dropFirst(3)) }
      if text.hasPrefix("SW=") { firmware = String(text.dropFirst(3)) }
    default: break
    }
  }

  static func printable(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.filter { (0x20...0x7e).contains($0) }, as: UTF8.self)
  }
}

import Bytes
import GNSS

/// GSA and GSV, in which every system has sentences of its own. NMEA 0183 4.11.
extension OutputBuffer {
  /// Satellites in one GSA.
  private static let usedPerSentence = 12
  /// Satellites in one GSV.
  private static let satellitesPerSentence = 4
  /// GSV counts its sentences with one digit.
  private static let sentenceCountMax = 9

  /// One GSA a system, several where more than twelve of its satellites are used, and one without
  /// satellites where none is.
  mutating func appendGSA(_ epoch: Epoch, _ talker: SentenceTalker) {
    var isWritten = false
    for system in SentenceTalker.systems {
      let used = epoch.satellites.numbers(of: system) { $0.isUsed }
      for start in stride(from: 0, to: used.count, by: Self.usedPerSentence) {
        appendGSA(used.dropFirst(start).prefix(Self.usedPerSentence), system, epoch.fix, talker)
        isWritten = true
      }
    }
    if !isWritten { appendGSA([], nil, epoch.fix, talker) }
  }

  private mutating func appendGSA(
    _ numbers: ArraySlice<Int>, _ system: SentenceTalker?, _ fix: Fix, _ talker: SentenceTalker
  ) {
    append(talker, "GSA") { line in
      line.append(",A")
      line.appendField(Int(max(fix.mode.rawValue, FixMode.none.rawValue)))
      for number in numbers { line.appendField(number, width: 2) }
      for _ in numbers.count..<Self.usedPerSentence { line.append(byte: UInt8(ascii: ",")) }
      line.appendField(fix.dop.position, decimals: 2)
      line.appendField(fix.dop.horizontal, decimals: 2)
      line.appendField(fix.dop.vertical, decimals: 2)
      line.appendField(system?.systemNumber)
    }
  }

  /// A group of GSV for each signal of each system. Satellites behind the 36th of a group, which no
  /// receiver tracks, are left out, as the sentences could not be counted.
  mutating func appendGSV(_ satellites: [Satellite]) {
    for system in SentenceTalker.systems {
      let own = satellites.filter { system.speaks(of: $0.constellation) }
      var signals: [UInt8] = []
      for satellite in own where !signals.contains(satellite.signal) {
        signals.append(satellite.signal)
      }
      for signal in signals {
        appendGSV(own.filter { $0.signal == signal }, system, signal)
      }
    }
  }

  private mutating func appendGSV(
    _ satellites: [Satellite], _ system: SentenceTalker, _ signal: UInt8
  ) {
    let shown = satellites.prefix(Self.satellitesPerSentence * Self.sentenceCountMax)
    let sentenceCount = (shown.count + Self.satellitesPerSentence - 1) / Self.satellitesPerSentence
    for sentence in 0..<sentenceCount {
      append(system, "GSV") { line in
        line.appendField(sentenceCount)
        line.appendField(sentence + 1)
        line.appendField(shown.count, width: 2)
        let part = shown.dropFirst(sentence * Self.satellitesPerSentence)
        for satellite in part.prefix(Self.satellitesPerSentence) {
          line.appendField(satellite.sentenceNumber, width: 2)
          line.appendField(satellite.elevation.map { Int($0) }, width: 2)
          line.appendField(satellite.azimuth.map { Int($0) }, width: 3)
          line.appendField(satellite.cn0.map { Int($0) }, width: 2)
        }
        line.append(byte: UInt8(ascii: ","))
        line.append(byte: SentenceChecksum.digit(signal & 15))
      }
    }
  }
}

/// The two letters that say which system a sentence is of.
enum SentenceTalker: Sendable {
  case gps, glonass, galileo, beidou, qzss, navic
  /// Several systems together.
  case combined

  static let systems: [SentenceTalker] = [.gps, .glonass, .galileo, .beidou, .qzss, .navic]

  /// The one system whose satellites the epoch used; `combined` for several, GPS for none.
  init(of epoch: Epoch) {
    self = .gps
    var isFirst = true
    for system in epoch.satellites.isEmpty ? [] : Self.systems
    where epoch.satellites.contains(where: { $0.isUsed && system.speaks(of: $0.constellation) }) {
      self = isFirst ? system : .combined
      isFirst = false
    }
  }

  var letters: StaticString {
    switch self {
    case .gps: "GP"
    case .glonass: "GL"
    case .galileo: "GA"
    case .beidou: "GB"
    case .qzss: "GQ"
    case .navic: "GI"
    case .combined: "GN"
    }
  }

  /// The system id of NMEA 4.10.
  var systemNumber: Int? {
    switch self {
    case .gps: 1
    case .glonass: 2
    case .galileo: 3
    case .beidou: 4
    case .qzss: 5
    case .navic: 6
    case .combined: nil
    }
  }

  /// SBAS and IMES have no talker of their own; their numbers lie beside those of GPS.
  func speaks(of constellation: Constellation) -> Bool {
    switch (self, constellation) {
    case (.gps, .gps), (.gps, .sbas), (.gps, .imes), (.glonass, .glonass), (.galileo, .galileo),
      (.beidou, .beidou), (.qzss, .qzss), (.navic, .navic):
      true
    default: false
    }
  }
}

extension Satellite {
  /// The number in sentences: NMEA 0183 4.11 table 20, and 173 on for IMES. `nil` for an unknown
  /// GLONASS slot.
  fileprivate var sentenceNumber: Int? {
    switch constellation {
    case .gps, .galileo, .beidou, .qzss, .navic: Int(svid)
    case .sbas: Int(svid) - 87
    case .glonass: svid == 255 ? nil : Int(svid) + 64
    case .imes: Int(svid) + 172
    }
  }
}

extension [Satellite] {
  /// Without repeats: a satellite may be listed once for each of its signals.
  fileprivate func numbers(of system: SentenceTalker, where isWanted: (Satellite) -> Bool) -> [Int]
  {
    var numbers: [Int] = []
    for satellite in self where system.speaks(of: satellite.constellation) && isWanted(satellite) {
      if let number = satellite.sentenceNumber, !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }
}

extension OutputBuffer {
  /// More than any sentence takes that is written here.
  private static let sentenceByteCountMax = 256

  /// Appends a sentence whose address is followed by the fields that `write` appends.
  @inline(__always)
  mutating func append(
    _ talker: SentenceTalker, _ formatter: StaticString, write: (inout RowWriter) -> Void
  ) {
    let start = count + 1
    appendRow(upTo: Self.sentenceByteCountMax) { line in
      line.append(byte: UInt8(ascii: "$"))
      line.append(talker.letters)
      line.append(formatter)
      write(&line)
    }
    endSentence(from: start)
  }
}

/// Fields, each with the comma in front of it; what is `nil` stays empty.
extension RowWriter {
  /// What is no number leaves the field empty.
  @inline(__always)
  mutating func appendField(_ value: Double?, decimals: Int) {
    append(byte: UInt8(ascii: ","))
    guard let value, value.magnitude < 1e12 else { return }
    append(fixed: value, decimals: decimals)
  }

  @inline(__always)
  mutating func appendField(_ value: Int?, width: Int = 1) {
    append(byte: UInt8(ascii: ","))
    guard let value else { return }
    if width == 1 { append(decimal: value) } else { append(decimal: value, width: width) }
  }
}

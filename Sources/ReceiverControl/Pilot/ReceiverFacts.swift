import Bytes
import GNSS
import GNSSWire

/// What was learned of one receiver, for the next start: it saves the search and is verified before
/// it is believed.
package struct ReceiverFacts: Equatable, Sendable {
  package var model: ReceiverModel
  package var baud: Int
  package var fixTimes = FixTimes()
  /// Keys that this firmware refuses.
  package var unsupported: Set<UBXKey> = []
  /// Rates that did not work on this wiring.
  package var badBauds: Set<Int> = []
  /// Whether the clock and the ephemerides were seen to survive a cut of the supply, or not to.
  package var keepsBackup = false
  package var lacksBackup = false
  /// How the receiver was before it was configured for the first time; `nil` while it was not.
  package var found: FoundConfiguration?

  package init(model: ReceiverModel, baud: Int) { (self.model, self.baud) = (model, baud) }

  /// Whether they hold for this model.
  package func isFor(_ other: ReceiverModel) -> Bool {
    other.family == model.family && other.name == model.name && other.uniqueID == model.uniqueID
  }

  // MARK: As a file

  private static let magic: [UInt8] = Array("BNFACT01".utf8)
  /// Bounds of a file, so that a wrong one cannot ask for much.
  package static let byteCountMax = 64 << 10
  private static let countMax: UInt64 = 1024
  private static let textByteCountMax = 1024

  /// The magic, the fields in their order, and a CRC-32C of all.
  package var encoded: [UInt8] {
    var buffer = OutputBuffer()
    buffer.append(bytes: Self.magic)
    buffer.append(byte: model.family.rawValue)
    for text in [model.name, model.firmware, model.uniqueID] { buffer.append(block: text.utf8) }
    buffer.append(block: (model.ublox?.payload ?? []))
    buffer.append(varint: UInt64(clamping: model.traits.count))
    for trait in model.traits { buffer.append(block: trait.rawValue.utf8) }
    buffer.append(varint: UInt64(clamping: baud))
    for seconds in fixTimes.expected { buffer.append(varint: UInt64(max(seconds, 0) * 1000)) }
    buffer.append(varint: UInt64(clamping: unsupported.count))
    for key in unsupported { buffer.append(littleEndian: key.id) }
    buffer.append(varint: UInt64(clamping: badBauds.count))
    for rate in badBauds { buffer.append(varint: UInt64(clamping: rate)) }
    buffer.append(
      byte: (keepsBackup ? 1 : 0) | (found == nil ? 0 : 2) | (lacksBackup ? 4 : 0))
    if let found { Self.append(found, to: &buffer) }
    let checksum = buffer.withByteView { CRC32C.checksum($0) }
    buffer.append(littleEndian: checksum)
    return buffer.bytes
  }

  private static func append(_ found: FoundConfiguration, to buffer: inout OutputBuffer) {
    buffer.append(varint: UInt64(clamping: found.settings.count))
    for setting in found.settings {
      buffer.append(littleEndian: setting.key.id)
      buffer.append(littleEndian: setting.value)
    }
    buffer.append(varint: UInt64(clamping: found.messages.count))
    for (type, payload) in found.messages {
      buffer.append(littleEndian: type.code)
      buffer.append(block: payload)
    }
    buffer.append(varint: UInt64(clamping: found.baud ?? 0))
  }

  /// `nil` for anything that `encoded` did not write.
  package init?(encoded bytes: ByteView) {
    guard bytes.count >= Self.magic.count + 4, bytes.count <= Self.byteCountMax else { return nil }
    let body = bytes.extracting(0..<(bytes.count - 4))
    guard CRC32C.checksum(body) == bytes.littleEndian(at: bytes.count - 4, as: UInt32.self) else {
      return nil
    }
    var reader = ByteReader(body)
    guard let magic = reader.bytes(Self.magic.count), magic.copied() == Self.magic,
      let family = reader.byte().flatMap(ChipFamily.init), let name = Self.block(&reader),
      let firmware = Self.block(&reader), let uniqueID = Self.block(&reader),
      let version = Self.block(&reader), let traitCount = Self.count(&reader)
    else { return nil }
    model = ReceiverModel(family: family)
    (model.name, model.firmware, model.uniqueID) = (name.text, firmware.text, uniqueID.text)
    model.ublox = version.isEmpty ? nil : UBXVersion(payload: version.copied())
    for _ in 0..<traitCount {
      guard let text = Self.block(&reader) else { return nil }
      if let trait = ReceiverModel.Trait(rawValue: text.text) { model.traits.insert(trait) }
    }
    guard let rate = reader.varint() else { return nil }
    baud = Int(clamping: rate)
    guard takeLearned(&reader), let flags = reader.byte() else { return nil }
    (keepsBackup, lacksBackup) = (flags & 1 != 0, flags & 4 != 0)
    if flags & 2 != 0 {
      guard let known = Self.found(&reader) else { return nil }
      found = known
    }
    guard reader.isAtEnd else { return nil }
  }

  private mutating func takeLearned(_ reader: inout ByteReader) -> Bool {
    var expected: [Double] = []
    for _ in 0...FixTimes.ranges.count {
      guard let value = reader.varint() else { return false }
      expected.append(Double(value) / 1000)
    }
    fixTimes = FixTimes(expected: expected) ?? FixTimes()
    guard let keyCount = Self.count(&reader) else { return false }
    for _ in 0..<keyCount {
      guard let key = reader.littleEndian(UInt32.self) else { return false }
      unsupported.insert(UBXKey(key))
    }
    guard let rateCount = Self.count(&reader) else { return false }
    for _ in 0..<rateCount {
      guard let rate = reader.varint() else { return false }
      badBauds.insert(Int(clamping: rate))
    }
    return true
  }

  private static func found(_ reader: inout ByteReader) -> FoundConfiguration? {
    var found = FoundConfiguration()
    guard let settingCount = count(&reader) else { return nil }
    for _ in 0..<settingCount {
      guard let key = reader.littleEndian(UInt32.self),
        let value = reader.littleEndian(UInt64.self)
      else { return nil }
      found.settings.append(UBXSetting(UBXKey(key), value))
    }
    guard let messageCount = count(&reader) else { return nil }
    for _ in 0..<messageCount {
      guard let code = reader.littleEndian(UInt16.self), let payload = block(&reader) else {
        return nil
      }
      let type = UBXMessageType(
        messageClass: UInt8(code >> 8), id: UInt8(truncatingIfNeeded: code))
      found.messages.append((type, payload.copied()))
    }
    guard let rate = reader.varint() else { return nil }
    found.baud = rate == 0 ? nil : Int(clamping: rate)
    return found
  }

  private static func count(_ reader: inout ByteReader) -> Int? {
    reader.varint().flatMap { $0 <= countMax ? Int($0) : nil }
  }

  private static func block(_ reader: inout ByteReader) -> ByteView? {
    guard let count = reader.varint(), count <= UInt64(textByteCountMax) else { return nil }
    return reader.bytes(Int(count))
  }
}

extension OutputBuffer {
  fileprivate mutating func append(block bytes: some Collection<UInt8>) {
    append(varint: UInt64(clamping: bytes.count))
    append(bytes: Array(bytes))
  }
}

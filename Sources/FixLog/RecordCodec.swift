import Bytes
import GNSS

/// The kinds of records, the high half of a record's tag. The low half is the stream slot.
enum RecordKind: UInt8 {
  case fix = 1
  case stream = 2
  case clock = 3
  case event = 4
  /// A fix with the same groups as the slot's fix before; only in blocks of the second codec.
  case alikeFix = 5
  /// A varint type follows; bit 0 of it says that a reader must not pass over it silently.
  case extended = 15

  func tag(slot: UInt8 = 0) -> UInt8 { rawValue << 4 | slot }
}

extension StreamDescriptor {
  /// Longer names are cut. Bytes of UTF-8.
  package static let nameByteCountMax = 64

  /// Receiver id, protocol, decimal places dropped from 1e-9 degrees (0 or 2), name.
  func append(to output: inout OutputBuffer, positionUnit: Int64) {
    output.append(littleEndian: receiverID)
    output.append(byte: wireProtocol.rawValue)
    output.append(byte: positionUnit == FixStream.coarseUnit ? 2 : 0)
    output.append(varintText: name.cut(toByteCount: Self.nameByteCountMax))
  }

  init?(_ reader: inout ByteReader, positionUnit: inout Int64) {
    guard let receiverID = reader.littleEndian(UInt64.self), let wireProtocol = reader.byte(),
      let scale = reader.byte(), scale == 0 || scale == 2, let name = reader.varintText()
    else { return nil }
    positionUnit = scale == 2 ? FixStream.coarseUnit : 1
    self.init(
      receiverID: receiverID, name: name,
      wireProtocol: WireProtocol(rawValue: wireProtocol) ?? .unknown)
  }
}

extension ClockRecord {
  func append(to output: inout OutputBuffer) {
    output.append(littleEndian: bootTag)
    output.append(zigzag: boottime.nanoseconds)
    output.append(zigzag: time.microseconds)
    output.append(byte: source.rawValue)
    output.append(zigzag: uncertaintyMicroseconds)
  }

  init?(_ reader: inout ByteReader) {
    guard let bootTag = reader.littleEndian(UInt64.self), let boottime = reader.zigzag(),
      let time = reader.zigzag(), let source = reader.byte(), let uncertainty = reader.zigzag()
    else { return nil }
    self.init(
      bootTag: bootTag, boottime: Monotonic(nanoseconds: boottime),
      time: UTCTime(microseconds: time), source: ClockSource(rawValue: source) ?? .none,
      uncertaintyMicroseconds: uncertainty)
  }

  /// Whether records without a date may be dated by it.
  package var isTrusted: Bool { source.rawValue >= ClockSource.network.rawValue }

  /// UTC at an instant of the same boot.
  package func time(at instant: Monotonic) -> UTCTime { time + (instant - boottime) }
}

extension LogEvent {
  /// More fields are dropped.
  package static let fieldCountMax = 16
  /// Longer texts are cut. Bytes of UTF-8; with all fields an event then still fits into a block.
  package static let textByteCountMax = 200

  /// Kind, time (a byte that says whether there is one, then microseconds), boot-time clock in
  /// milliseconds, then the fields: key, length * 2 + (1 if text), value.
  func append(to output: inout OutputBuffer) {
    output.append(varint: kind.rawValue)
    output.append(byte: time == nil ? 0 : 1)
    if let time { output.append(zigzag: time.microseconds) }
    output.append(zigzag: floorDivided(boottime.nanoseconds, by: 1_000_000))
    for field in fields.prefix(Self.fieldCountMax) {
      output.append(varint: field.key.rawValue)
      switch field.value {
      case .number(let number):
        let start = output.count
        output.append(zigzag: number)
        let value = Array(output.bytes[start...])
        output.truncate(to: start)
        output.append(varint: UInt64(value.count) << 1)
        output.append(bytes: value)
      case .text(let text):
        let cut = text.cut(toByteCount: Self.textByteCountMax)
        output.append(varint: UInt64(cut.utf8.count) << 1 | 1)
        output.append(text: cut)
      }
    }
  }

  /// `nil` for a kind that this version does not know, or a payload cut short.
  init?(_ reader: inout ByteReader) {
    guard let kind = reader.varint().flatMap(EventKind.init(rawValue:)),
      let isTimed = reader.byte()
    else { return nil }
    var time: UTCTime?
    if isTimed == 1 {
      guard let microseconds = reader.zigzag() else { return nil }
      time = UTCTime(microseconds: microseconds)
    }
    guard let boottime = reader.zigzag() else { return nil }
    self.init(kind, time: time, boottime: Monotonic(milliseconds: boottime))
    while !reader.isAtEnd {
      guard let key = reader.varint(), let length = reader.varint(),
        let byteCount = Int(exactly: length >> 1), let value = reader.bytes(byteCount)
      else { return nil }
      guard length & 1 == 0 else {
        fields.append(Field(EventKey(rawValue: key), .text(value.text)))
        continue
      }
      var number = ByteReader(value)
      guard let number = number.zigzag() else { return nil }
      fields.append(Field(EventKey(rawValue: key), .number(number)))
    }
  }
}

extension OutputBuffer {
  fileprivate mutating func append(varintText text: String) {
    append(varint: UInt64(text.utf8.count))
    append(text: text)
  }
}

extension ByteReader {
  fileprivate mutating func varintText() -> String? {
    guard let length = varint(), let byteCount = Int(exactly: length) else { return nil }
    return bytes(byteCount)?.text
  }
}

import Bytes
import GNSS

/// The records of one block, from first to last.
package struct BlockRecords {
  /// A record of the stream slot it belongs to.
  package struct Entry: Sendable {
    package let record: LogRecord
    /// Its place among the records that the block yields.
    package let index: Int
  }

  package let block: LogBlock
  /// The latest clock record passed: which boot the records belong to, and what is known of its
  /// time.
  package private(set) var clock: ClockRecord?
  /// The first trusted clock record of that boot in the block: what dates are computed by.
  package private(set) var relation: ClockRecord?
  /// Records of kinds that this version does not know and that may matter.
  package private(set) var omittedCount = 0
  /// Whether the payload broke off inside a record, in spite of a right checksum.
  package private(set) var isMalformed = false
  private var offset = BlockHeader.byteCount
  private let end: Int
  private var yieldedCount = 0
  /// The bytes up to here hold whole records.
  var usedByteCount: Int { offset }
  private(set) var slots = [StreamSlot?](repeating: nil, count: StreamSlot.count)

  package init(_ block: LogBlock) {
    self.block = block
    end = BlockHeader.byteCount + Int(block.header.payloadByteCount)
  }

  /// Passes over the rest.
  mutating func skipAll() {
    while next() != nil {}
  }

  package mutating func next() -> Entry? {
    let bytes = block.bytes
    return bytes.withByteView { next(in: $0) }
  }

  /// The same with the block's bytes at hand: who reads many records lends them once.
  mutating func next(in view: ByteView) -> Entry? {
    while offset < end {
      switch step(view.extracting(offset..<end)) {
      case .record(let record):
        defer { yieldedCount += 1 }
        return Entry(record: record, index: yieldedCount)
      case .nothing: continue
      case .malformed:
        isMalformed = true
        offset = end
      }
    }
    return nil
  }

  private enum Outcome {
    case record(LogRecord)
    case nothing
    case malformed
  }

  private mutating func step(_ rest: ByteView) -> Outcome {
    guard let (tag, payload) = Self.split(rest, &offset) else { return .malformed }
    var body = ByteReader(payload)
    let slot = tag & 15
    switch RecordKind(rawValue: tag >> 4) {
    case .fix:
      return fix(&body, slot: slot, withMask: true)
    case .alikeFix:
      guard block.header.codec.hasAlikeFixes else { return .nothing }
      return fix(&body, slot: slot, withMask: false)
    case .stream:
      var unit: Int64 = 1
      guard let descriptor = StreamDescriptor(&body, positionUnit: &unit) else { return .malformed }
      slots[Int(slot)] = StreamSlot(
        descriptor: descriptor, fixes: FixStream(positionUnit: unit))
      return .nothing
    case .clock:
      guard let record = ClockRecord(&body) else { return .malformed }
      note(record)
      guard slot == 0 else { return .nothing }
      let time = record.isTrusted ? record.time : nil
      return .record(LogRecord(content: .clock(record), time: time, boottime: record.boottime))
    case .event:
      guard let event = LogEvent(&body) else {
        omittedCount += 1
        return .nothing
      }
      return .record(
        LogRecord(content: .event(event), time: event.time, boottime: event.boottime))
    case .extended:
      if let type = body.varint(), type & 1 == 1 { omittedCount += 1 }
      return .nothing
    case nil:
      return .nothing
    }
  }

  /// The next record's tag and payload; moves `offset` behind them.
  private static func split(
    _ rest: ByteView, _ offset: inout Int
  ) -> (tag: UInt8, payload: ByteView)? {
    var reader = ByteReader(rest)
    guard let tag = reader.byte(), tag != 0, let length = reader.varint(),
      let byteCount = Int(exactly: length), let payload = reader.bytes(byteCount)
    else { return nil }
    offset += reader.offset
    return (tag, payload)
  }

  /// What the clock records of a block say at its end, without decoding the others.
  static func clocks(of block: LogBlock) -> (latest: ClockRecord?, relation: ClockRecord?) {
    var records = BlockRecords(block)
    block.bytes.withByteView { view in
      while records.offset < records.end,
        let (tag, payload) = split(
          view.extracting(records.offset..<records.end), &records.offset)
      {
        guard tag >> 4 == RecordKind.clock.rawValue else { continue }
        var body = ByteReader(payload)
        if let record = ClockRecord(&body) { records.note(record) }
      }
    }
    return (records.clock, records.relation)
  }

  private mutating func note(_ record: ClockRecord) {
    if clock?.bootTag != record.bootTag { relation = nil }
    if relation == nil, record.isTrusted { relation = record }
    clock = record
  }

  private mutating func fix(_ body: inout ByteReader, slot: UInt8, withMask: Bool) -> Outcome {
    // In place: a copy of the slot would take longer than the record.
    slots[Int(slot)]?.record(&body, withMask: withMask).map { .record($0) } ?? .malformed
  }
}

/// A stream that occurs in a block.
struct StreamSlot {
  let descriptor: StreamDescriptor
  var fixes: FixStream

  /// The next fix; `nil` where its payload is cut short.
  mutating func record(_ body: inout ByteReader, withMask: Bool) -> LogRecord? {
    guard fixes.decode(&body, withMask: withMask) else { return nil }
    let fix = fixes.last.fix
    return LogRecord(
      content: .fix(fix, descriptor), time: fix.time, boottime: fixes.last.boottime)
  }

  /// A block holds at most this many streams; the next one begins another block.
  static let count = 16
}

import Bytes

/// Finds the next frame in bytes that may hold any protocol, cut anywhere. It keeps no state: what
/// is incomplete is looked at again, from its first byte, once more bytes are there. Any byte may
/// start any protocol, and a candidate that fails is searched again from its second byte, so that a
/// false start costs nothing but time.
package enum FrameScanner {
  /// What stands at an offset.
  package enum Finding: Equatable {
    /// A frame whose checksum fits, from the offset up to `end`.
    case frame(WireProtocol, end: Int)
    /// A candidate that failed; the search goes on at `resume`.
    case rejected(WireProtocol, RejectReason, resume: Int)
    /// Bytes of no frame, up to `end`.
    case noise(end: Int)
    /// A candidate that lacks at least `wanted` bytes.
    case incomplete(WireProtocol, wanted: Int)
    /// The bytes are used up.
    case end
  }

  /// The longest frame of any protocol: what a carried-over candidate can grow to. UBX-RXM-RAWX
  /// with 255 blocks is 8176 bytes of payload.
  package static let frameByteCountMax =
    UBXFrame.headerByteCount + UBXLength.payloadByteCountMax
    + UBXFrame.checksumByteCount

  package static func next(in view: ByteView, at offset: Int) -> Finding {
    guard offset < view.count else { return .end }
    switch view[offset] {
    case UInt8(ascii: "$"), UInt8(ascii: "!"): return SentenceScanner.scan(view, at: offset)
    case UBXFrame.sync1: return ubx(view, offset)
    case RTCM3Frame.preamble: return RTCM3Frame.scan(view, at: offset)
    case CASICFrame.sync1: return CASICFrame.scan(view, at: offset)
    case AllystarFrame.sync1: return AllystarFrame.scan(view, at: offset)
    case SkyTraqFrame.sync1: return bigEndian(view, offset)
    default: return noise(view, offset)
    }
  }

  /// The UBX frame at `offset`, if all of it is there and its checksum fits: what it is and where
  /// it ends. `nil` says only that `next` has to look closer.
  @inline(__always)
  static func wholeUBX(_ view: ByteView, at offset: Int) -> (type: UBXMessageType, end: Int)? {
    // The shortest frame is as long as a word: sync bytes, type, length and checksum.
    guard offset <= view.count &- 8 else { return nil }
    let head = view.word(unchecked: offset)
    let length = Int(truncatingIfNeeded: head &>> 32 & 0xffff)
    let end = offset &+ 8 &+ length
    let type = UBXMessageType(code: UInt16(truncatingIfNeeded: head &>> 16).byteSwapped)
    guard UInt16(truncatingIfNeeded: head) == UBXFrame.sync, end <= view.count,
      UBXLength.isPossible(length, for: type)
    else { return nil }
    let checksum = Fletcher8.checksum(view.extracting((offset &+ 2)..<(end &- 2)))
    return checksum == view.littleEndian(at: end &- 2, as: UInt16.self) ? (type, end) : nil
  }

  /// Up to the next byte that can start a frame.
  private static func noise(_ view: ByteView, _ offset: Int) -> Finding {
    var end = offset + 1
    while end < view.count, !canStart(view[end]) { end += 1 }
    return .noise(end: end)
  }

  private static func canStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "$"), UInt8(ascii: "!"), UBXFrame.sync1, RTCM3Frame.preamble,
      CASICFrame.sync1, AllystarFrame.sync1, SkyTraqFrame.sync1:
      true
    default: false
    }
  }

  private static func ubx(_ view: ByteView, _ offset: Int) -> Finding {
    if let whole = wholeUBX(view, at: offset) { return .frame(.ubx, end: whole.end) }
    let available = view.count - offset
    guard available >= 2 else { return .incomplete(.ubx, wanted: 1) }
    guard view[offset + 1] == UBXFrame.sync2 else { return noise(view, offset) }
    guard available >= UBXFrame.headerByteCount else {
      return .incomplete(.ubx, wanted: UBXFrame.headerByteCount - available)
    }
    let length = Int(view.littleEndian(at: offset + 4, as: UInt16.self))
    let type = UBXMessageType(messageClass: view[offset + 2], id: view[offset + 3])
    guard UBXLength.isPossible(length, for: type) else {
      return .rejected(.ubx, .length, resume: offset + 1)
    }
    let total = UBXFrame.headerByteCount + length + UBXFrame.checksumByteCount
    guard available >= total else { return .incomplete(.ubx, wanted: total - available) }
    return .rejected(.ubx, .checksum, resume: offset + 1)
  }

  /// SkyTraq and SiRF binary share their first byte.
  private static func bigEndian(_ view: ByteView, _ offset: Int) -> Finding {
    guard view.count - offset >= 2 else { return .incomplete(.skytraq, wanted: 1) }
    switch view[offset + 1] {
    case SkyTraqFrame.sync2: return SkyTraqFrame.scan(view, at: offset)
    case SiRFFrame.sync2: return SiRFFrame.scan(view, at: offset)
    default: return noise(view, offset)
    }
  }
}

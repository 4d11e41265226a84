import Bytes

// The framing of the protocols beside NMEA and UBX. `scan` is called where the first byte fits.

/// RTCM 10403 section 4: preamble, 6 reserved and 10 bits of length, message, CRC-24Q.
enum RTCM3Frame {
  static let preamble: UInt8 = 0xd3
  private static let headerByteCount = 3
  private static let checksumByteCount = 3

  static func scan(_ view: ByteView, at offset: Int) -> FrameScanner.Finding {
    let available = view.count - offset
    guard available >= headerByteCount else {
      return .incomplete(.rtcm3, wanted: headerByteCount - available)
    }
    // Shorter than a message number is no message; the reserved bits are zero in version 3.
    let length = Int(view[offset + 1] & 3) << 8 | Int(view[offset + 2])
    guard view[offset + 1] & 0xfc == 0, length >= 2 else { return .noise(end: offset + 1) }
    let total = headerByteCount + length + checksumByteCount
    guard available >= total else { return .incomplete(.rtcm3, wanted: total - available) }
    let end = offset + total
    // Over a frame with its own checksum the CRC comes out as zero.
    return CRC24Q.checksum(view.extracting(offset..<end)) == 0
      ? .frame(.rtcm3, end: end) : .rejected(.rtcm3, .checksum, resume: offset + 1)
  }
}

/// CASIC: BA CE, length, class, id, payload, and a sum of 32-bit words. Source: CASIC multi-mode
/// satellite navigation receiver protocol specification, binary messages.
package enum CASICFrame {
  static let sync1: UInt8 = 0xba
  static let sync2: UInt8 = 0xce
  static let headerByteCount = 6
  static let checksumByteCount = 4
  /// The longest payload of the specification, in bytes, with room to spare.
  private static let payloadByteCountMax = 2048

  static func scan(_ view: ByteView, at offset: Int) -> FrameScanner.Finding {
    let available = view.count - offset
    guard available >= 2 else { return .incomplete(.casic, wanted: 1) }
    guard view[offset + 1] == sync2 else { return .noise(end: offset + 1) }
    guard available >= headerByteCount else {
      return .incomplete(.casic, wanted: headerByteCount - available)
    }
    let length = Int(view.littleEndian(at: offset + 2, as: UInt16.self))
    guard length <= payloadByteCountMax, length % 4 == 0 else {
      return .rejected(.casic, .length, resume: offset + 1)
    }
    let total = headerByteCount + length + checksumByteCount
    guard available >= total else { return .incomplete(.casic, wanted: total - available) }
    let end = offset + total
    let sum = checksum(view.extracting((offset + 2)..<(end - checksumByteCount)))
    return sum == view.littleEndian(at: end - checksumByteCount, as: UInt32.self)
      ? .frame(.casic, end: end) : .rejected(.casic, .checksum, resume: offset + 1)
  }

  /// The sum of the 32-bit words of length, class, id and payload.
  package static func checksum(_ body: ByteView) -> UInt32 {
    var sum: UInt32 = 0
    var index = 0
    while body.count - index >= 4 {
      sum = sum &+ body.littleEndian(at: index, as: UInt32.self)
      index += 4
    }
    return sum
  }
}

/// Allystar: F1 D9, then as UBX.
enum AllystarFrame {
  static let sync1: UInt8 = 0xf1
  static let sync2: UInt8 = 0xd9
  /// In bytes; no message is known to be longer.
  private static let payloadByteCountMax = 2048

  static func scan(_ view: ByteView, at offset: Int) -> FrameScanner.Finding {
    let available = view.count - offset
    guard available >= 2 else { return .incomplete(.allystar, wanted: 1) }
    guard view[offset + 1] == sync2 else { return .noise(end: offset + 1) }
    guard available >= UBXFrame.headerByteCount else {
      return .incomplete(.allystar, wanted: UBXFrame.headerByteCount - available)
    }
    let length = Int(view.littleEndian(at: offset + 4, as: UInt16.self))
    guard length <= payloadByteCountMax else {
      return .rejected(.allystar, .length, resume: offset + 1)
    }
    let total = UBXFrame.headerByteCount + length + UBXFrame.checksumByteCount
    guard available >= total else { return .incomplete(.allystar, wanted: total - available) }
    let end = offset + total
    let sum = Fletcher8.checksum(view.extracting((offset + 2)..<(end - 2)))
    return sum == view.littleEndian(at: end - 2, as: UInt16.self)
      ? .frame(.allystar, end: end) : .rejected(.allystar, .checksum, resume: offset + 1)
  }
}

/// SkyTraq: A0 A1, big-endian length, payload, exclusive-or, CR LF. Source: SkyTraq AN0003.
enum SkyTraqFrame {
  static let sync1: UInt8 = 0xa0
  static let sync2: UInt8 = 0xa1
  /// In bytes; raw measurements of many satellites stay below.
  private static let payloadByteCountMax = 2048

  static func scan(_ view: ByteView, at offset: Int) -> FrameScanner.Finding {
    let available = view.count - offset
    guard available >= 4 else { return .incomplete(.skytraq, wanted: 4 - available) }
    let length = Int(view[offset + 2]) << 8 | Int(view[offset + 3])
    guard length >= 1, length <= payloadByteCountMax else {
      return .rejected(.skytraq, .length, resume: offset + 1)
    }
    let total = 4 + length + 3
    guard available >= total else { return .incomplete(.skytraq, wanted: total - available) }
    let end = offset + total
    let sum = SentenceChecksum.value(of: view.extracting((offset + 4)..<(end - 3)))
    guard sum == view[end - 3], view[end - 2] == 0x0d, view[end - 1] == 0x0a else {
      return .rejected(.skytraq, .checksum, resume: offset + 1)
    }
    return .frame(.skytraq, end: end)
  }
}

/// SiRF binary: A0 A2, big-endian length, payload, 15-bit sum, B0 B3. Source: SiRF binary protocol
/// reference manual, transport message.
enum SiRFFrame {
  static let sync2: UInt8 = 0xa2
  /// In bytes, by the manual.
  private static let payloadByteCountMax = 1023

  static func scan(_ view: ByteView, at offset: Int) -> FrameScanner.Finding {
    let available = view.count - offset
    guard available >= 4 else { return .incomplete(.sirf, wanted: 4 - available) }
    let length = Int(view[offset + 2]) << 8 | Int(view[offset + 3])
    guard length >= 1, length <= payloadByteCountMax else {
      return .rejected(.sirf, .length, resume: offset + 1)
    }
    let total = 4 + length + 4
    guard available >= total else { return .incomplete(.sirf, wanted: total - available) }
    let end = offset + total
    var sum: UInt16 = 0
    for index in (offset + 4)..<(end - 4) { sum = (sum &+ UInt16(view[index])) & 0x7fff }
    guard sum == UInt16(view[end - 4]) << 8 | UInt16(view[end - 3]), view[end - 2] == 0xb0,
      view[end - 1] == 0xb3
    else { return .rejected(.sirf, .checksum, resume: offset + 1) }
    return .frame(.sirf, end: end)
  }
}

import Bytes

@testable import GNSSWire

/// Gives whatever looks like a frame the checksum that fits.
enum Repaired {
  static func bytes(of input: ByteView, protocols: Set<WireProtocol>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(input.count * 2)
    var offset = 0
    while offset < input.count {
      offset = append(input, offset, protocols, to: &output)
    }
    return output
  }

  /// - Returns: How far the input was used.
  private static func append(
    _ input: ByteView, _ offset: Int, _ protocols: Set<WireProtocol>, to output: inout [UInt8]
  ) -> Int {
    let second = offset + 1 < input.count ? input[offset + 1] : 0
    switch (input[offset], second) {
    case (UInt8(ascii: "$"), _) where protocols.contains(.nmea):
      return appendSentence(input, offset, to: &output)
    case (UBXFrame.sync1, UBXFrame.sync2) where protocols.contains(.ubx),
      (AllystarFrame.sync1, AllystarFrame.sync2) where protocols.contains(.allystar):
      return appendFletcher(input, offset, to: &output)
    case (RTCM3Frame.preamble, _) where protocols.contains(.rtcm3):
      return appendRTCM3(input, offset, to: &output)
    case (CASICFrame.sync1, CASICFrame.sync2) where protocols.contains(.casic):
      return appendCASIC(input, offset, to: &output)
    case (SkyTraqFrame.sync1, SkyTraqFrame.sync2) where protocols.contains(.skytraq),
      (SkyTraqFrame.sync1, SiRFFrame.sync2) where protocols.contains(.sirf):
      return appendBigEndian(input, offset, isSiRF: second == SiRFFrame.sync2, to: &output)
    default:
      output.append(input[offset])
      return offset + 1
    }
  }

  private static func appendSentence(
    _ input: ByteView, _ offset: Int, to output: inout [UInt8]
  ) -> Int {
    var end = offset + 1
    var sum: UInt8 = 0
    while end < input.count, input[end] != 0x0a, input[end] != 0x0d,
      input[end] != UInt8(ascii: "*"), input[end] != UInt8(ascii: "$")
    {
      sum ^= input[end]
      end += 1
    }
    append(input.extracting(offset..<end), to: &output)
    output.append(UInt8(ascii: "*"))
    for digit in [sum >> 4, sum & 15] { output.append(digit < 10 ? 48 + digit : 55 + digit) }
    output.append(0x0a)
    while end < input.count, input[end] != 0x0a, input[end] != UInt8(ascii: "$") { end += 1 }
    return end < input.count && input[end] == 0x0a ? end + 1 : end
  }

  /// UBX and Allystar.
  private static func appendFletcher(
    _ input: ByteView, _ offset: Int, to output: inout [UInt8]
  ) -> Int {
    guard let end = end(input, offset + 6, length: little(input, offset + 4)) else {
      output.append(input[offset])
      return offset + 1
    }
    append(input.extracting(offset..<end), to: &output)
    let sum = Fletcher8.checksum(input.extracting((offset + 2)..<end))
    output.append(contentsOf: [UInt8(truncatingIfNeeded: sum), UInt8(sum >> 8)])
    return min(end + 2, input.count)
  }

  private static func appendCASIC(
    _ input: ByteView, _ offset: Int, to output: inout [UInt8]
  ) -> Int {
    guard let end = end(input, offset + 6, length: little(input, offset + 2)) else {
      output.append(input[offset])
      return offset + 1
    }
    append(input.extracting(offset..<end), to: &output)
    let sum = CASICFrame.checksum(input.extracting((offset + 2)..<end))
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      output.append(UInt8(truncatingIfNeeded: sum >> shift))
    }
    return min(end + 4, input.count)
  }

  private static func appendRTCM3(
    _ input: ByteView, _ offset: Int, to output: inout [UInt8]
  ) -> Int {
    guard offset + 2 < input.count,
      let end = end(
        input, offset + 3, length: Int(input[offset + 1] & 3) << 8 | Int(input[offset + 2]))
    else {
      output.append(input[offset])
      return offset + 1
    }
    append(input.extracting(offset..<end), to: &output)
    let sum = CRC24Q.checksum(input.extracting(offset..<end))
    for shift in [UInt32(16), 8, 0] { output.append(UInt8(truncatingIfNeeded: sum >> shift)) }
    return min(end + 3, input.count)
  }

  /// SkyTraq and SiRF binary.
  private static func appendBigEndian(
    _ input: ByteView, _ offset: Int, isSiRF: Bool, to output: inout [UInt8]
  ) -> Int {
    guard offset + 3 < input.count,
      let end = end(
        input, offset + 4, length: Int(input[offset + 2]) << 8 | Int(input[offset + 3]))
    else {
      output.append(input[offset])
      return offset + 1
    }
    append(input.extracting(offset..<end), to: &output)
    let body = input.extracting((offset + 4)..<end)
    if isSiRF {
      let sum = body.indices.reduce(UInt16(0)) { ($0 &+ UInt16(body[$1])) & 0x7fff }
      output.append(contentsOf: [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum), 0xb0, 0xb3])
    } else {
      output.append(contentsOf: [body.indices.reduce(0) { $0 ^ body[$1] }, 0x0d, 0x0a])
    }
    return min(end + (isSiRF ? 4 : 3), input.count)
  }

  private static func little(_ input: ByteView, _ offset: Int) -> Int? {
    offset + 2 <= input.count ? Int(input.littleEndian(at: offset, as: UInt16.self)) : nil
  }

  private static func end(_ input: ByteView, _ start: Int, length: Int?) -> Int? {
    guard let length, start <= input.count, length <= input.count - start else { return nil }
    return start + length
  }

  private static func append(_ view: ByteView, to output: inout [UInt8]) {
    view.withUnsafeBytes { output.append(contentsOf: $0) }
  }
}

import Bytes
import GNSS

/// The state file: a header, and frames that are only ever appended until the file is written anew.
///
/// | offset | size | header |
/// |---|---|---|
/// | 0 | 7 | `BINNSTA` |
/// | 7 | 1 | version, 1 |
///
/// | offset | size | frame |
/// |---|---|---|
/// | 0 | 4 | bytes of entries behind, little-endian |
/// | 4 | 4 | CRC-32C of the length and of those bytes |
/// | 8 | n | entries: all of one change, so that it is there wholly or not at all |
package enum StateJournal {
  package static let version: UInt8 = 1
  static let magic: StaticString = "BINNSTA"
  static let headerByteCount = 8
  static let frameHeaderByteCount = 8
  /// A longer frame is damage: bytes.
  static let frameByteCountMax = 1 << 26

  /// The beginning of a file.
  package static func header() -> [UInt8] {
    var output = OutputBuffer(capacity: headerByteCount)
    output.append(magic)
    output.append(byte: version)
    return output.bytes
  }

  /// One change, ready to be appended.
  package static func frame(_ entries: [StateEntry]) -> [UInt8] {
    var output = OutputBuffer()
    output.append(littleEndian: UInt64(0))
    for entry in entries { output.append(entry) }
    output.replace(at: 0, littleEndian: UInt32(output.count - frameHeaderByteCount))
    let checksum = output.withByteView(checksum)
    output.replace(at: 4, littleEndian: checksum)
    return output.bytes
  }

  /// Of a whole frame, without the four bytes of the checksum itself.
  private static func checksum(_ frame: ByteView) -> UInt32 {
    var crc = CRC32C()
    crc.update(frame.extracting(0..<4))
    crc.update(frame.extracting(frameHeaderByteCount..<frame.count))
    return crc.value
  }

  package struct Contents: Equatable, Sendable {
    package var entries: [StateEntry] = []
    /// Bytes at the end that make no whole frame: a write that was cut short, or damage. Appending
    /// goes on in their place.
    package var damagedByteCount = 0
  }

  /// Reads a file; an empty one is an empty state.
  package static func read(_ file: ByteView) throws(StateError) -> Contents {
    var contents = Contents()
    guard file.count >= headerByteCount else {
      // The very first write may have been cut short.
      let isBeginning = header().starts(with: file.copied())
      guard isBeginning else { throw .notAState }
      contents.damagedByteCount = file.count
      return contents
    }
    guard file.extracting(0..<magic.utf8CodeUnitCount).elementsEqual(magic) else {
      throw .notAState
    }
    guard file[headerByteCount - 1] == version else {
      throw .unknownVersion(file[headerByteCount - 1])
    }
    var offset = headerByteCount
    while offset < file.count {
      guard let frame = wholeFrame(file, at: offset) else { break }
      var reader = ByteReader(frame.extracting(frameHeaderByteCount..<frame.count))
      while !reader.isAtEnd {
        let start = offset + frameHeaderByteCount + reader.offset
        guard let entry = reader.stateEntry() else { throw .unknownEntry(offset: start) }
        contents.entries.append(entry)
      }
      offset += frame.count
    }
    contents.damagedByteCount = file.count - offset
    return contents
  }

  private static func wholeFrame(_ file: ByteView, at offset: Int) -> ByteView? {
    guard file.count - offset >= frameHeaderByteCount else { return nil }
    let byteCount = Int(file.littleEndian(at: offset, as: UInt32.self))
    guard byteCount <= frameByteCountMax,
      byteCount <= file.count - offset - frameHeaderByteCount
    else { return nil }
    let frame = file.extracting(offset..<(offset + frameHeaderByteCount + byteCount))
    guard frame.littleEndian(at: 4, as: UInt32.self) == checksum(frame) else { return nil }
    return frame
  }
}

import Bytes
import GNSSWire

/// Cuts a receiver's bytes into whole frames, for the clients that want them as they came. It works
/// only while there are such clients.
struct FrameSplitter: Sendable {
  /// A frame that was cut by the end of a chunk.
  private var carried: [UInt8] = []

  /// Takes bytes in; `body` is called for every frame whose checksum fits.
  mutating func take(_ bytes: ByteView, _ body: (WireProtocol, ByteView) -> Void) {
    bytes.withUnsafeBytes { carried.append(contentsOf: $0) }
    let consumed = carried.withByteView { view in
      var offset = 0
      while true {
        switch FrameScanner.next(in: view, at: offset) {
        case .frame(let wireProtocol, let end):
          body(wireProtocol, view.extracting(offset..<end))
          offset = end
        case .rejected(_, _, let resume): offset = resume
        case .noise(let end): offset = end
        case .incomplete, .end: return offset
        }
      }
    }
    carried.removeFirst(consumed)
  }

  /// Forgets what is incomplete.
  mutating func reset() { carried = [] }
}

import GNSS
import LinuxIO

/// A client's connection on the daemon's event loop.
struct ClientSocket {
  let socket: StreamSocket
  let peer: SocketPeer
  /// The loop's name for it. No token is used twice, so it is the client's number, too.
  let token: EventLoop.Token
  private var interest: EventLoop.Interest = .readable

  /// What is read at once.
  static let readByteCount = 4096
  /// Clients accepted before others get their turn.
  private static let acceptedAtOnce = 64

  /// `nil` where the loop does not take it.
  init?(_ socket: StreamSocket, _ token: EventLoop.Token, on loop: EventLoop) {
    guard (try? loop.add(socket.descriptor, token: token)) != nil else { return nil }
    (self.socket, self.token, peer) = (socket, token, socket.peer)
  }

  /// Clients that wait at a listener.
  static func waiting(at listener: ListenSocket) -> some Sequence<StreamSocket> {
    sequence(state: 0) { (count: inout Int) -> StreamSocket? in
      count += 1
      return count > acceptedAtOnce ? nil : listener.accept()
    }
  }

  /// Takes what has come, as far as `buffer` holds it.
  /// - Returns: The number of bytes; 0 where the client is gone, `nil` where nothing is there.
  func read(into buffer: inout [UInt8]) -> Int? {
    do { return try buffer.withUnsafeMutableBytes { try socket.read(into: $0) } } catch {
      return 0
    }
  }

  /// What the loop is to tell of it.
  mutating func wait(for wanted: EventLoop.Interest, on loop: EventLoop) {
    guard wanted != interest else { return }
    interest = wanted
    try? loop.modify(socket.descriptor, token: token, for: wanted)
  }
}

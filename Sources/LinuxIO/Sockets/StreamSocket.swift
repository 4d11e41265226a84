import Bytes
import Glibc

/// One connection, of either end. After it is made nothing waits: what the other side does not take
/// is queued, up to a bound.
package final class StreamSocket {
  package let descriptor: CInt
  /// Bytes that the kernel did not take yet, from `queueStart` on.
  private var queue: [UInt8] = []
  private var queueStart = 0

  /// A peer that leaves more than this unread, beside what the kernel holds for it, is too slow.
  package static let queuedByteCountMax = 64 << 10
  /// What the kernel may hold for a peer (it doubles it): enough for any report, and a bound.
  private static let sendBufferByteCount: CInt = 64 << 10
  /// A TCP peer that does not answer is probed after these seconds, then at this interval.
  private static let keepAliveIdle: CInt = 60
  private static let keepAliveInterval: CInt = 10
  private static let keepAliveCount: CInt = 3

  init(accepted descriptor: CInt) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    setOption(SOL_SOCKET, SO_SNDBUF, Self.sendBufferByteCount)
    let address = SocketAddress.filled { getsockname(descriptor, $0, $1) }
    guard address?.isUnix == false else { return }
    let tcp = CInt(IPPROTO_TCP)
    setOption(tcp, TCP_NODELAY, 1)
    setOption(SOL_SOCKET, SO_KEEPALIVE, 1)
    setOption(tcp, TCP_KEEPIDLE, Self.keepAliveIdle)
    setOption(tcp, TCP_KEEPINTVL, Self.keepAliveInterval)
    setOption(tcp, TCP_KEEPCNT, Self.keepAliveCount)
  }

  /// Connects, waiting for the peer where it is not of this machine.
  package init(connectingTo address: SocketAddress) throws(SocketError) {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    descriptor = socket(address.family, type, 0)
    guard descriptor >= 0 else { throw .cannotConnect(address, Errno(rawValue: errno)) }
    do {
      try systemCall { address.withSockaddr { connect(descriptor, $0, $1) } }
      let flags = fcntl(descriptor, F_GETFL) | O_NONBLOCK
      try systemCall { fcntl(descriptor, F_SETFL, flags) }
    } catch {
      throw .cannotConnect(address, error)
    }
    if !address.isUnix { setOption(CInt(IPPROTO_TCP), TCP_NODELAY, 1) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes what has come, as far as `buffer` holds it.
  /// - Returns: The number of bytes; 0 where the peer has closed, `nil` where nothing is there.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int? {
    guard let start = buffer.baseAddress else { return nil }
    do {
      return try systemCall { recv(descriptor, start, buffer.count, 0) }
    } catch .wouldBlock {
      return nil
    }
  }

  package enum Outcome: Equatable, Sendable {
    case sent
    /// Part of it waits; call `flush` when the descriptor is writable.
    case queued
    /// The queue is full, and the bytes were not taken: the peer is too slow.
    case tooSlow
    case broken(Errno)
  }

  /// Sends `bytes`, or queues what the kernel does not take.
  package func send(_ bytes: [UInt8]) -> Outcome {
    var sent = 0
    if queue.isEmpty {
      do throws(Errno) { sent = try transmit(bytes[...]) } catch { return .broken(error) }
      if sent == bytes.count { return .sent }
    }
    guard queue.count - queueStart + bytes.count - sent <= Self.queuedByteCountMax else {
      return .tooSlow
    }
    queue.append(contentsOf: bytes[sent...])
    return .queued
  }

  /// Sends what is queued, as far as it goes.
  package func flush() -> Outcome {
    do throws(Errno) { queueStart += try transmit(queue[queueStart...]) } catch {
      return .broken(error)
    }
    guard queueStart == queue.count else {
      if queueStart > Self.queuedByteCountMax {
        queue.removeFirst(queueStart)
        queueStart = 0
      }
      return .queued
    }
    (queue, queueStart) = ([], 0)
    return .sent
  }

  package var hasQueued: Bool { !queue.isEmpty }

  /// The number of bytes that the kernel took.
  private func transmit(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    guard !bytes.isEmpty else { return 0 }
    do {
      return try systemCall {
        bytes.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress!, $0.count, CInt(MSG_NOSIGNAL))
        }
      }
    } catch .wouldBlock {
      return 0
    }
  }

  private func setOption(_ level: CInt, _ option: CInt, _ value: CInt) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }
}

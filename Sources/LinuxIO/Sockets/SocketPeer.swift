import CLinux
import Glibc

/// Who is at the other end of a connection.
package enum SocketPeer: Equatable, Sendable {
  /// A program of this machine, run by this user; the process is known for Unix sockets only.
  case local(user: UInt32, process: Int32?)
  /// A program of this machine whose user the kernel did not tell.
  case unknownLocal
  /// Somebody else's machine.
  case remote
}

extension StreamSocket {
  /// Asks the kernel who connected: SO_PEERCRED for a Unix socket; for TCP within this machine the
  /// owner of the other end, by sock_diag(7).
  package var peer: SocketPeer {
    guard let own = SocketAddress.filled(by: { getsockname(descriptor, $0, $1) }) else {
      return .unknownLocal
    }
    if own.isUnix { return unixPeer }
    guard let other = SocketAddress.filled(by: { getpeername(descriptor, $0, $1) }) else {
      return .remote
    }
    // What comes from one of our own addresses was sent by ourselves: both ends are then the same
    // host, as with loopback.
    guard other.isLoopback || other.host == own.host else { return .remote }
    guard let user = TCPOwner.user(of: other, connectedTo: own) else { return .unknownLocal }
    return .local(user: user, process: nil)
  }

  private var unixPeer: SocketPeer {
    // The fields of struct ucred, which the Glibc module lacks.
    var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
    var count = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &count) == 0 else {
      return .unknownLocal
    }
    return .local(user: credentials.user, process: credentials.process)
  }
}

extension SocketAddress {
  fileprivate var host: ArraySlice<UInt8> { family == AF_INET6 ? bytes[8..<24] : bytes[4..<8] }
}

/// Asks the kernel for the user that owns a TCP socket of this machine.
private enum TCPOwner {
  static func user(of socket: SocketAddress, connectedTo peer: SocketAddress) -> UInt32? {
    let type = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let netlink = Glibc.socket(AF_NETLINK, type, CInt(BINNACLE_NETLINK_SOCK_DIAG))
    guard netlink >= 0 else { return nil }
    defer { close(netlink) }
    var query = binnacle_inet_query()
    query.header.nlmsg_len = UInt32(MemoryLayout<binnacle_inet_query>.size)
    query.header.nlmsg_type = UInt16(BINNACLE_SOCK_DIAG_BY_FAMILY)
    query.header.nlmsg_flags = UInt16(BINNACLE_NLM_F_REQUEST)
    query.request.sdiag_family = UInt8(socket.family)
    query.request.sdiag_protocol = UInt8(IPPROTO_TCP)
    query.request.idiag_states = .max
    query.request.id.idiag_cookie = (.max, .max)
    socket.copyPort(to: &query.request.id.idiag_sport)
    peer.copyPort(to: &query.request.id.idiag_dport)
    socket.copyHost(to: &query.request.id.idiag_src)
    peer.copyHost(to: &query.request.id.idiag_dst)
    guard send(netlink, &query, MemoryLayout<binnacle_inet_query>.size, 0) > 0 else { return nil }

    var answer = binnacle_inet_answer()
    let size = MemoryLayout<binnacle_inet_answer>.size
    // The kernel answers within the call that asked.
    guard recv(netlink, &answer, size, CInt(MSG_DONTWAIT)) >= size,
      answer.header.nlmsg_type == UInt16(BINNACLE_SOCK_DIAG_BY_FAMILY)
    else { return nil }
    return answer.message.idiag_uid
  }
}

extension SocketAddress {
  /// Both in network order.
  fileprivate func copyPort(to field: inout UInt16) {
    withUnsafeMutableBytes(of: &field) { $0.copyBytes(from: bytes[2..<4]) }
  }

  fileprivate func copyHost<Field>(to field: inout Field) {
    withUnsafeMutableBytes(of: &field) { $0.copyBytes(from: host.prefix($0.count)) }
  }
}

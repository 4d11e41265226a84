import CLinux
import GNSS
import Glibc

/// Names of users and groups, as the system knows them.
package enum UserDatabase {
  /// Bytes for an entry of the database; one that needs more counts as unknown.
  private static let entryByteCountMax = 64 << 10
  /// Groups of one user; further ones are left out.
  private static let groupCountMax = 1024

  package static func userName(_ user: UInt32) -> String? { entry(of: user)?.name }

  package static func userID(named name: String) -> UInt32? {
    withEntryBuffer { buffer, count in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      guard getpwnam_r(name, &entry, buffer, count, &found) == 0, found != nil else { return nil }
      return entry.pw_uid
    }
  }

  /// The names of all groups of a user: its own and those that list it.
  package static func groups(ofUser user: UInt32) -> [String] {
    guard let entry = entry(of: user) else { return [] }
    var groups = [gid_t](repeating: 0, count: groupCountMax)
    var count = CInt(groups.count)
    guard getgrouplist(entry.name, entry.group, &groups, &count) >= 0 else { return [] }
    return groups.prefix(Int(count)).compactMap { groupName($0) }
  }

  package static func groupName(_ group: UInt32) -> String? {
    withEntryBuffer { buffer, count in
      var entry = Glibc.group()
      var found: UnsafeMutablePointer<Glibc.group>?
      guard getgrgid_r(group, &entry, buffer, count, &found) == 0, found != nil,
        let name = entry.gr_name
      else { return nil }
      return String(cString: name)
    }
  }

  package static func hasGroup(named name: String) -> Bool {
    withEntryBuffer { buffer, count in
      var entry = Glibc.group()
      var found: UnsafeMutablePointer<Glibc.group>?
      return getgrnam_r(name, &entry, buffer, count, &found) == 0 && found != nil ? true : nil
    } ?? false
  }

  private static func entry(of user: UInt32) -> (name: String, group: gid_t)? {
    withEntryBuffer { buffer, count in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      guard getpwuid_r(user, &entry, buffer, count, &found) == 0, found != nil,
        let name = entry.pw_name
      else { return nil }
      return (String(cString: name), entry.pw_gid)
    }
  }

  private static func withEntryBuffer<Result>(
    _ body: (UnsafeMutablePointer<CChar>, Int) -> Result?
  ) -> Result? {
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: entryByteCountMax)
    defer { buffer.deallocate() }
    return body(buffer, entryByteCountMax)
  }
}

extension StreamSocket {
  /// The groups that the program at the other end of a Unix socket had when it connected:
  /// SO_PEERGROUPS, and its own group. `nil` where the kernel does not tell.
  package var peerGroups: [UInt32]? {
    var groups = [gid_t](repeating: 0, count: 256)
    var count = socklen_t(groups.count * MemoryLayout<gid_t>.size)
    let option = CInt(BINNACLE_SO_PEERGROUPS)
    guard getsockopt(descriptor, SOL_SOCKET, option, &groups, &count) == 0 else { return nil }
    return Array(groups.prefix(Int(count) / MemoryLayout<gid_t>.size))
  }
}

/// Waits until a descriptor can be read or written, or has failed.
/// - Parameter timeout: `nil` waits for ever.
/// - Returns: Whether that came in time.
package func waitUntilReady(
  _ descriptor: CInt, toWrite: Bool = false, timeout: Duration?
) throws(Errno) -> Bool {
  let end = timeout.map { Clocks.monotonic() + $0 }
  while true {
    var poll = pollfd(
      fd: descriptor, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
    var milliseconds: CInt = -1
    if let end {
      let left = (end - Clocks.monotonic()).wholeNanoseconds
      milliseconds = CInt(clamping: max(left, 0) / 1_000_000 + (left > 0 ? 1 : 0))
    }
    let count = try systemCall { Glibc.poll(&poll, 1, milliseconds) }
    if count > 0 { return true }
    if let end, Clocks.monotonic() >= end { return false }
  }
}

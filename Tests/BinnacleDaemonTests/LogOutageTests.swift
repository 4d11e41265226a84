import FixLog
import GNSS
import Glibc
import LinuxIO
import Testing

@testable import BinnacleDaemon

/// What keeps the daemon from having a log at its start, and that it has one once that is over.
@Suite("Log outages") struct LogOutageTests {
  /// A file system of its own in memory, gone with it.
  private final class SmallFileSystem {
    let path: String

    /// `nil` where this process may not mount.
    init?(at path: String, byteCount: Int) {
      self.path = path
      mkdir(path, 0o700)
      guard mount("binnacle-test", path, "tmpfs", 0, "size=\(byteCount)") == 0 else {
        rmdir(path)
        return nil
      }
    }

    func remount(byteCount: Int, isReadOnly: Bool = false) {
      let flags = UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0)
      #expect(mount("binnacle-test", path, "tmpfs", flags, "size=\(byteCount)") == 0)
    }

    deinit {
      umount2(path, CInt(MNT_DETACH))
      rmdir(path)
    }
  }

  private func smallFileSystem(_ scratch: KeeperScratch, byteCount: Int) -> SmallFileSystem? {
    let small = SmallFileSystem(at: scratch.path + "/small", byteCount: byteCount)
    if let small { scratch.ring = small.path + "/ring" }
    if small == nil { print("skipped: this process may not mount a file system") }
    return small
  }

  /// Starts a keeper that has no log, ends what keeps it from it, and looks at the log then.
  private func expectRecovery(
    _ scratch: KeeperScratch, saying words: String, cure: () -> Void
  ) throws {
    let keeper = try scratch.keeper()
    #expect(keeper.recovery == nil)
    let trouble = try #require(keeper.trouble)
    #expect(trouble.contains(words), "\(trouble)")
    // Lines for people: what it is about comes first.
    #expect(trouble.hasPrefix(scratch.ring + ": "))
    scratch.append(0..<5, to: keeper)
    #expect(keeper.trouble == trouble)
    cure()
    scratch.settle(keeper)
    #expect(keeper.trouble == nil)
    scratch.append(5..<7, to: keeper)
    keeper.finish()
    let found = try scratch.logged()
    #expect(found.numbers == Array(0..<7))
    #expect(found.outages == [trouble] && found.lost == [0])
  }

  @Test("no space for a new ring: made when there is some")
  func full() throws {
    let scratch = try KeeperScratch()
    guard let small = smallFileSystem(scratch, byteCount: 100_000) else { return }
    try expectRecovery(scratch, saying: "no space for the ring; free some") {
      #expect(!fileExists(scratch.ring) && !fileExists(scratch.ring + ".new"))
      small.remount(byteCount: 1_000_000)
    }
  }

  @Test("a read-only file system, without a ring and with one", arguments: [false, true])
  func readOnly(hasRing: Bool) throws {
    let scratch = try KeeperScratch()
    guard let small = smallFileSystem(scratch, byteCount: 1_000_000) else { return }
    if hasRing { try scratch.keeper().finish() }
    small.remount(byteCount: 1_000_000, isReadOnly: true)
    try expectRecovery(scratch, saying: Errno.readOnly.text) {
      small.remount(byteCount: 1_000_000)
    }
  }

  @Test("a ring of a newer format is left as it is")
  func newerFormat() throws {
    let scratch = try KeeperScratch()
    var bytes = try newerRing()
    let before = bytes
    let file = Glibc.open(scratch.ring, O_WRONLY | O_CREAT, 0o600)
    #expect(write(file, &bytes, bytes.count) == bytes.count)
    close(file)
    try expectRecovery(scratch, saying: "format 2 is newer than this program knows; update") {
      rename(scratch.ring, scratch.path + "/old")
    }
    var after = [UInt8](repeating: 0, count: before.count + 1)
    let old = Glibc.open(scratch.path + "/old", O_RDONLY)
    #expect(read(old, &after, after.count) == before.count)
    close(old)
    #expect(Array(after.dropLast()) == before)
  }

  /// A ring with both superblocks of version 2.0.
  private func newerRing() throws -> [UInt8] {
    let geometry = try #require(RingGeometry(byteCount: 400_000))
    var superblock = Superblock(
      geometry: geometry, ringID: RingID(high: 1, low: 2), created: UTCTime(seconds: 0))
    superblock.versionMajor = 2
    var ring = [UInt8](repeating: 0, count: geometry.byteCount)
    ring.replaceSubrange(0..<4096, with: superblock.image(copy: 0))
    ring.replaceSubrange(65_536..<(65_536 + 4096), with: superblock.image(copy: 1))
    return ring
  }

  @Test("a ring of another user's, which may not be written")
  func otherOwner() throws {
    guard geteuid() != 0 else {
      print("skipped: nothing is denied to the superuser")
      return
    }
    let scratch = try KeeperScratch()
    try scratch.keeper().finish()
    chmod(scratch.ring, 0o400)
    try expectRecovery(scratch, saying: "access denied; its owner may write") {
      chmod(scratch.ring, 0o640)
    }
  }
}

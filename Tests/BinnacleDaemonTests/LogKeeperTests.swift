import FixLog
import Glibc
import LinuxIO
import Testing

@testable import BinnacleDaemon

@Suite("Log keeper") struct LogKeeperTests {
  @Test("a ring that is removed is made again, and its open block goes into the new one")
  func removed() throws {
    let scratch = try KeeperScratch()
    let keeper = try scratch.keeper()
    scratch.append(0..<5, to: keeper)
    scratch.settle(keeper)
    unlink(scratch.ring)
    scratch.append(5..<10, to: keeper)
    scratch.settle(keeper)
    keeper.finish()
    let found = try scratch.logged()
    #expect(found.numbers == Array(0..<10))
    #expect(found.outages == ["\(scratch.ring): the file was removed or replaced"])
    #expect(found.lost == [0])
  }

  @Test("a ring that is moved away keeps what it has; a file in its place is left alone")
  func replaced() throws {
    let scratch = try KeeperScratch()
    let keeper = try scratch.keeper()
    scratch.append(0..<5, to: keeper)
    scratch.settle(keeper)
    rename(scratch.ring, scratch.path + "/old")
    let file = Glibc.open(scratch.ring, O_WRONLY | O_CREAT, 0o600)
    write(file, "precious", 8)
    close(file)
    scratch.append(5..<10, to: keeper)
    scratch.settle(keeper)
    #expect(keeper.trouble?.contains("not a ring") == true)
    #expect(smallFile(scratch.ring) == "precious")
    unlink(scratch.ring)
    scratch.append(10..<12, to: keeper)
    scratch.settle(keeper)
    #expect(try scratch.logged().numbers == Array(0..<12))
    let old = try LogReader(RingFile(opening: scratch.path + "/old", for: .reading))
    #expect(old.next() != nil)
  }

  @Test("a ring that is cut is not made longer; mended, it goes on without a loss")
  func cut() throws {
    let scratch = try KeeperScratch()
    let keeper = try scratch.keeper()
    scratch.append(0..<5, to: keeper)
    scratch.settle(keeper)
    truncate(scratch.ring, 300_000)
    scratch.append(5..<10, to: keeper)
    scratch.settle(keeper)
    #expect(keeper.trouble?.contains("cut to 300000 of") == true)
    var status = stat()
    stat(scratch.ring, &status)
    #expect(status.st_size == 300_000)
    let geometry = try #require(RingGeometry(byteCount: 400_000))
    truncate(scratch.ring, geometry.byteCount)
    scratch.append(10..<12, to: keeper)
    scratch.settle(keeper)
    keeper.finish()
    #expect(try scratch.logged().numbers == Array(0..<12))
  }

  @Test("without a ring at the start the daemon goes on, unless the path was typed")
  func noRing() throws {
    let scratch = try KeeperScratch()
    mkdir(scratch.ring, 0o700)
    #expect(throws: DaemonError.self) { try scratch.keeper(isNamedByHand: true) }
    let keeper = try scratch.keeper()
    #expect(keeper.recovery == nil && keeper.trouble != nil)
    scratch.append(0..<5, to: keeper)
    rmdir(scratch.ring)
    scratch.settle(keeper)
    keeper.finish()
    #expect(try scratch.logged().numbers == Array(0..<5))
  }

  @Test("memory holds an hour of records; what falls out is counted")
  func bound() throws {
    let scratch = try KeeperScratch()
    mkdir(scratch.ring, 0o700)
    let keeper = try scratch.keeper()
    scratch.append(0..<5000, to: keeper)
    rmdir(scratch.ring)
    scratch.settle(keeper)
    keeper.finish()
    let found = try scratch.logged()
    #expect(found.lost == [1024])
    #expect(found.numbers.first == 1024 && found.numbers.last == 4999)
  }

  @Test("two daemons do not share a log")
  func shared() throws {
    let scratch = try KeeperScratch()
    let keeper = try scratch.keeper()
    #expect(throws: DaemonError.self) { try scratch.keeper() }
    keeper.finish()
  }
}

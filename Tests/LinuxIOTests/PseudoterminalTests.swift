import Bytes
import Glibc
import Testing

@testable import LinuxIO

@Suite("Pseudoterminal") struct PseudoterminalTests {
  @Test("bytes arrive unchanged, also for the next reader")
  func raw() throws {
    let terminal = try Pseudoterminal()
    let sent: [UInt8] = Array(0...255)
    for _ in 0..<2 {
      let reader = try SerialPort(path: terminal.path)
      #expect(try sent.withByteView { try terminal.write($0) } == sent.count)
      var received = [UInt8](repeating: 0, count: 512)
      let result = received.withUnsafeMutableBytes { reader.read(into: $0) }
      #expect(result == .bytes(sent.count))
      #expect(Array(received[..<sent.count]) == sent)
      #expect(received.withUnsafeMutableBytes { reader.read(into: $0) } == .wouldBlock)
    }
  }

  @Test("readers are counted as they come and go")
  func readers() throws {
    let terminal = try Pseudoterminal()
    terminal.countReaders()
    #expect(terminal.readerCount == 0)
    var first: SerialPort? = try SerialPort(path: terminal.path)
    let second = try SerialPort(path: terminal.path)
    terminal.countReaders()
    #expect(terminal.readerCount == 2)
    withExtendedLifetime(first) {}
    first = nil
    terminal.countReaders()
    #expect(terminal.readerCount == 1)
    withExtendedLifetime(second) {}
  }

  @Test("what nobody reads stops being taken, and is counted")
  func full() throws {
    let terminal = try Pseudoterminal()
    let chunk = [UInt8](repeating: 0x55, count: 1000)
    var total = 0
    while total < 1 << 20, case let count = try chunk.withByteView({ try terminal.write($0) }),
      count > 0
    {
      total += count
    }
    #expect((1000..<(1 << 20)).contains(total))
    // The kernel hands the bytes over in its own time.
    for _ in 0..<500 where terminal.unreadByteCount == 0 { usleep(10_000) }
    #expect(terminal.unreadByteCount > 0)
  }

  @Test("what a reader writes comes back, without an echo")
  func input() throws {
    let terminal = try Pseudoterminal()
    #expect(try terminal.received() == [])
    let reader = try SerialPort(path: terminal.path)
    #expect([UInt8]([1, 2, 10]).withByteView { reader.write($0) } == .bytes(3))
    #expect(try terminal.received() == [1, 2, 10])
    var echo: [UInt8] = [0]
    #expect(echo.withUnsafeMutableBytes { reader.read(into: $0) } == .wouldBlock)
  }
}

@Suite("Symbolic link") struct SymbolicLinkTests {
  static func path(_ name: String) -> String { "/tmp/binnacle-link-\(getpid())-\(name)" }

  @Test("lasts as long as its owner, and replaces one that was left over")
  func lifetime() throws {
    let path = Self.path("a")
    symlink("/nowhere", path)
    var link: SymbolicLink? = try SymbolicLink(at: path, to: "/dev/null")
    #expect(realPath(path) == "/dev/null")
    withExtendedLifetime(link) {}
    link = nil
    #expect(realPath(path) == nil)
  }

  @Test("replaces no other file, and removes no link that is not its own")
  func others() throws {
    let path = Self.path("b")
    mkdir(path, 0o700)
    #expect(throws: Errno.exists) { try SymbolicLink(at: path, to: "/dev/null") }
    rmdir(path)
    var link: SymbolicLink? = try SymbolicLink(at: path, to: "/dev/null")
    withExtendedLifetime(link) {}
    unlink(path)
    symlink("/dev/zero", path)
    link = nil
    #expect(realPath(path) == "/dev/zero")
    unlink(path)
  }
}

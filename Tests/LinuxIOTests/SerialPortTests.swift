import Bytes
import Glibc
import Testing

@testable import LinuxIO

@Suite("Serial port") struct SerialPortTests {
  private func read(_ port: SerialPort) -> (SerialPort.ReadResult, [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 256)
    let result = buffer.withUnsafeMutableBytes { port.read(into: $0) }
    if case .bytes(let count) = result { return (result, Array(buffer.prefix(count))) }
    return (result, [])
  }

  @Test("carries all 256 values both ways, unchanged and without echo")
  func raw() throws {
    let terminal = TestTerminal()
    let port = try SerialPort(path: terminal.path)
    let all = (0...255).map { UInt8($0) }
    #expect(read(port).0 == .wouldBlock)

    terminal.send(all)
    #expect(read(port) == (.bytes(256), all))
    #expect(read(port).0 == .wouldBlock)
    #expect(terminal.received() == [])

    #expect(all.withByteView { port.write($0) } == .bytes(256))
    #expect(terminal.received() == all)
  }

  @Test("settings are those of a plain 8N1 line")
  func settings() throws {
    let terminal = TestTerminal()
    let port = try SerialPort(path: terminal.path)
    var settings = termios()
    #expect(tcgetattr(port.descriptor, &settings) == 0)
    let expected = tcflag_t(CLOCAL | CREAD | CS8)
    let cleared = tcflag_t(HUPCL | CSTOPB | PARENB) | 0x8000_0000
    #expect(settings.c_cflag & (expected | cleared) == expected)
    #expect(settings.c_iflag & tcflag_t(IXON | IXOFF | ICRNL | ISTRIP | INLCR) == 0)
    #expect(settings.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
    #expect(settings.c_oflag & tcflag_t(OPOST) == 0)
  }

  @Test(
    "takes every speed, with or without a termios constant",
    arguments: [
      4800, 9600, 38_400, 115_200, 460_800, 921_600, 14_400, 250_000,
    ])
  func speeds(baud: Int) throws {
    let terminal = TestTerminal()
    let port = try SerialPort(path: terminal.path)
    try port.setSpeed(baud)
    #expect(port.speed == baud)
  }

  @Test("refuses what is no speed", arguments: [0, -9600, Int.max])
  func badSpeeds(baud: Int) throws {
    let terminal = TestTerminal()
    let port = try SerialPort(path: terminal.path)
    #expect(throws: SerialPortError.speedRefused(path: terminal.path, baud: baud)) {
      try port.setSpeed(baud)
    }
  }

  @Test("flushing drops what has come in")
  func flush() throws {
    let terminal = TestTerminal()
    let port = try SerialPort(path: terminal.path)
    terminal.send([1, 2, 3])
    port.flushInput()
    #expect(read(port).0 == .wouldBlock)
  }

  @Test("a full line takes a part, then blocks")
  func full() throws {
    let terminal = TestTerminal()
    let port = try SerialPort(path: terminal.path)
    let block = [UInt8](repeating: 0x55, count: 65_536)
    var written = 0
    var result = SerialPort.WriteResult.bytes(0)
    for _ in 0..<100 {
      result = block.withByteView { port.write($0) }
      guard case .bytes(let count) = result else { break }
      written += count
    }
    #expect(result == .wouldBlock)
    #expect(written > 0)
    #expect(written < 1 << 20)
  }

  @Test("removal ends the session")
  func removal() throws {
    let terminal = TestTerminal()
    let port = try SerialPort(path: terminal.path)
    terminal.unplug()
    // The kernel answers with 0 bytes or EIO, depending on how far the hang-up has come.
    #expect([.ended(.hungUp), .ended(.removed)].contains(read(port).0))
    #expect([1].withByteView { port.write($0) } == .ended(.removed))
    #expect(port.lineErrors == nil)
  }

  @Test("a killed process's pseudo-terminal can be opened again")
  func reopen() throws {
    let terminal = TestTerminal()
    _ = try SerialPort(path: terminal.path)
    let port = try SerialPort(path: terminal.path)
    terminal.send([7])
    #expect(read(port) == (.bytes(1), [7]))
  }

  @Test("errors name the port and the next step")
  func errors() {
    #expect(throws: SerialPortError.cannotOpen(path: "/nonexistent/port", .noSuchFile)) {
      try SerialPort(path: "/nonexistent/port")
    }
    #expect(throws: SerialPortError.notSerial(path: "/dev/null")) {
      try SerialPort(path: "/dev/null")
    }
    let error = SerialPortError.cannotOpen(path: "/dev/ttyS0", .busy)
    #expect(error.message.contains("/dev/ttyS0: in use"))
    #expect(error.message.contains("ModemManager"))
  }

  @Test("no descriptor is left behind, whether opening works or fails")
  func noLeak() throws {
    func openCount() -> Int {
      (0..<1024).filter { fcntl(CInt($0), F_GETFD) != -1 }.count
    }
    let terminal = TestTerminal()
    let before = openCount()
    for _ in 0..<20 {
      _ = try SerialPort(path: terminal.path)
      _ = try? SerialPort(path: "/dev/null")
    }
    // Other suites run at the same time and hold a few of their own.
    #expect(abs(openCount() - before) < 15)
  }
}

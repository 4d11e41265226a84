import Bytes
import Glibc
import Testing

@testable import BinnacleCommand
@testable import LinuxIO

@Suite("simulate") struct SimulateCommandTests {
  static let captures: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(2).joined(separator: "/") + "/Captures"
  }()

  static func temporary(_ name: String) -> String { "/tmp/binnacle-\(getpid())-\(name)" }

  static func write(_ text: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
    close(descriptor)
  }

  /// All that comes through a port until the other end closes.
  static func everything(from path: String) throws -> [UInt8] {
    let port = try SerialPort(path: path)
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      switch buffer.withUnsafeMutableBytes({ port.read(into: $0) }) {
      case .bytes(let count): received += buffer[..<count]
      case .ended: return received
      case .wouldBlock:
        var ready = pollfd(fd: port.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 10_000) == 1 else { return received }
      }
    }
  }

  static let refused: [(arguments: [String], words: String)] = [
    ([], "one FILE"), (["a", "b"], "one FILE"), (["/nowhere/at-all"], "No such file"),
    (["-", "--loop"], "--loop"), (["x", "--speed", "0"], "--speed"),
    (["x", "--times", "now", "--speed", "2"], "--speed 1"), (["x", "--rate", "21"], "--rate"),
    (["x", "--protocol", "sirf"], "nmea, ubx"), (["/dev/null", "--rate", "5"], "--rate"),
    (["x", "--seed", "1"], "--receiver"), (["--receiver", "garmin"], "ublox-m10, ublox-m8"),
    (["--receiver", "l76k", "--rate", "5"], "--rate"),
    (["--receiver", "l76k", "a", "b"], "one FILE"),
    (["--receiver", "l76k", "a", "--journey", "line"], "--journey"),
    (["--receiver", "l76k", "--times", "now"], "--times"),
  ]

  @Test("refuses what cannot be, in words", arguments: refused)
  func refuses(arguments: [String], words: String) {
    do throws(CommandError) {
      let options = try SimulateOptions(Invocation(of: .simulate, parsing: arguments))
      if let kind = options.receiver {
        _ = try LiveReceiver(options, kind: kind)
      } else {
        _ = try ReplaySource(options, path: options.path ?? "")
      }
      Issue.record("\(arguments) was taken")
    } catch {
      #expect(error.message.contains(words), "\(error.message)")
    }
  }

  @Test("a track without times is refused with the option that helps")
  func untimed() throws {
    let path = Self.temporary("untimed.gpx")
    defer { unlink(path) }
    Self.write("<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>", to: path)
    let refused = try SimulateOptions(Invocation(of: .simulate, parsing: [path]))
    do throws(CommandError) {
      _ = try ReplaySource(refused, path: path)
      Issue.record("taken")
    } catch {
      #expect(error.message.hasPrefix(path) && error.message.contains("--ground-speed"))
    }
    let taken = try SimulateOptions(
      Invocation(of: .simulate, parsing: [path, "--ground-speed", "1.5"]))
    _ = try ReplaySource(taken, path: path)
  }

  @Test("a log comes through the port byte by byte, and the link goes with it")
  func log() throws {
    let (log, link) = (Self.temporary("log.nmea"), Self.temporary("port"))
    defer { unlink(log) }
    let text = (0..<600).map { "$GPRMC,1200\($0 % 60)0,A,\($0)*00\r\n" }.joined() + "torn\u{0}"
    Self.write(text, to: log)
    let program = try #require(
      ChildProgram(binnacle: ["simulate", log, "--link", link, "--speed", "1000000"]))
    let path = try #require(program.nextLine())
    #expect(path.hasPrefix("/dev/pts/"))
    #expect(realPath(link) == path)
    #expect(try Self.everything(from: link) == Array(text.utf8))
    #expect(program.wait() == 0)
    #expect(!fileExists(link))
  }

  @Test("a track is sent and the count of its epochs kept", arguments: ["nmea", "ubx"])
  func track(language: String) throws {
    let program = try #require(
      ChildProgram(binnacle: [
        "simulate", Self.captures + "/straight-line.gpx", "--protocol", language, "--speed=1e6",
        "--count", "20",
      ]))
    let bytes = try Self.everything(from: try #require(program.nextLine()))
    #expect(program.wait() == 0)
    // The first bytes of RMC, and of NAV-PVT with its length of 92 bytes.
    let start: [UInt8] = language == "nmea" ? Array("$GPRMC,".utf8) : [0xb5, 0x62, 1, 7, 92, 0]
    let count = bytes.indices.count { bytes[$0...].starts(with: start) }
    #expect(count == 20)
  }

  @Test("ends in good order when told to", arguments: [SIGTERM, SIGINT])
  func terminated(signal: CInt) throws {
    let link = Self.temporary("ended-\(signal)")
    let program = try #require(
      ChildProgram(binnacle: [
        "simulate", Self.captures + "/standing-still.gpx", "--loop", "--link", link,
      ]))
    _ = try #require(program.nextLine())
    #expect(fileExists(link))
    #expect(program.end(with: signal) == 0)
    #expect(!fileExists(link))
  }

  @Test("a receiver lives on the port: answers, mishears a wrong speed, and has a fix")
  func live() throws {
    let program = try #require(
      ChildProgram(binnacle: [
        "simulate", "--receiver", "ublox-m8", "--start", "hot", "--speed", "10",
      ]))
    let port = try SerialPort(path: try #require(program.nextLine()))
    try port.setSpeed(9600)
    #expect(try Self.heard("$GNRMC|$GPRMC", in: port))
    let question: [UInt8] = [0xb5, 0x62, 0x0a, 0x04, 0, 0, 0x0e, 0x34]
    try port.setSpeed(38_400)
    port.flushInput()
    _ = question.withByteView { port.write($0) }
    #expect(try !Self.heard("NEO-M8N", in: port))
    try port.setSpeed(9600)
    _ = question.withByteView { port.write($0) }
    #expect(try Self.heard("NEO-M8N", in: port))
    #expect(try Self.heard(",A,4806.", in: port))
    #expect(program.end(with: SIGTERM) == 0)
  }

  /// Whether one of these comes within the next 64 kB, or two seconds of silence.
  static func heard(_ words: String, in port: SerialPort) throws -> Bool {
    let words = words.split(separator: "|")
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while received.count < 8000 {
      switch buffer.withUnsafeMutableBytes({ port.read(into: $0) }) {
      case .bytes(let count):
        received += buffer[..<count]
        let text = String(decoding: received, as: UTF8.self)
        if words.contains(where: { text.contains($0) }) { return true }
      case .ended: return false
      case .wouldBlock:
        var ready = pollfd(fd: port.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 5000) == 1 else { return false }
      }
    }
    return false
  }
}

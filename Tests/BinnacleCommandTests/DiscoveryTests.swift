import Glibc
import Testing

@testable import LinuxIO

/// The built program on a mocked machine: what it finds, opens and leaves alone.
@Suite(
  "Discovery",
  .enabled(if: MockedMachine.obstacle == nil, Comment(rawValue: MockedMachine.obstacle ?? "")),
  .timeLimit(.minutes(1)))
struct DiscoveryTests {
  static let ublox = MockedDevice(
    name: "ttyACM0", vendor: "1546", product: "01a8", driver: "cdc_acm")
  static let arduino = MockedDevice(
    name: "ttyACM1", vendor: "2341", product: "0043", driver: "cdc_acm", socket: 2,
    serial: "75833353734351D0F181")
  static let bridge = MockedDevice(
    name: "ttyUSB0", vendor: "10c4", product: "ea60", driver: "cp210x", socket: 3, serial: "0001")
  static let uninvolved = [arduino, bridge]

  static let sentence = "$GNRMC,120000.00,A,5954.83400,N,01045.25200,E,0.213,,301126,,,A*6D"

  /// Starts the daemon with a log of its own, which is removed with the machine.
  private func run(on machine: MockedMachine) -> ChildProgram? {
    machine.binnacle(["run", "--log", machine.root + "/fixes.ring"])
  }

  /// Lets the device talk until the daemon says something that contains `text`.
  private func hears(
    _ text: String, from daemon: ChildProgram, _ device: MockedDevice, on machine: MockedMachine
  ) throws -> String? {
    for _ in 0..<3 { try #require(machine.send(Self.sentence, from: device)) }
    while let line = daemon.nextLine() {
      if line.contains(text) { return line }
    }
    return nil
  }

  @Test("a receiver that is there before the start is used; nothing else is opened")
  func present() throws {
    let machine = try #require(MockedMachine())
    for device in Self.uninvolved + [Self.ublox] {
      try #require(machine.add(device))
      try #require(machine.watchOpening(of: device))
    }
    let daemon = try #require(run(on: machine))
    #expect(try hears("receiving on /dev/ttyACM0", from: daemon, Self.ublox, on: machine) != nil)
    #expect(daemon.end(with: SIGTERM) == 0)

    #expect(machine.openCount(of: Self.ublox) == 1)
    for device in Self.uninvolved {
      #expect(machine.openCount(of: device) == 0, "\(device.name)")
      #expect(machine.receivedByteCount(device) == 0, "\(device.name)")
    }
  }

  @Test("devices plugged in later are opened only if they are receivers")
  func plugged() throws {
    let machine = try #require(MockedMachine())
    try #require(machine.add(Self.arduino))
    let daemon = try #require(run(on: machine))
    // Started, when its log is there.
    for _ in 0..<200 where !fileExists(machine.root + "/fixes.ring") { usleep(50_000) }
    try #require(machine.add(Self.bridge))
    try #require(machine.watchOpening(of: Self.bridge))
    try #require(machine.add(Self.ublox))
    #expect(try hears("receiving on /dev/ttyACM0", from: daemon, Self.ublox, on: machine) != nil)
    #expect(machine.openCount(of: Self.bridge) == 0)
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test("a receiver that comes back under another name is the same one")
  func replugged() throws {
    let machine = try #require(MockedMachine())
    try #require(machine.add(Self.ublox))
    let daemon = try #require(run(on: machine))
    let first = try hears("receiving on /dev/ttyACM0", from: daemon, Self.ublox, on: machine)
    try #require(machine.remove(Self.ublox))
    let gone = try #require(daemon.nextLine())
    let again = MockedDevice(name: "ttyACM7", vendor: "1546", product: "01a8", driver: "cdc_acm")
    try #require(machine.add(again))
    let second = try hears("receiving on /dev/ttyACM7", from: daemon, again, on: machine)

    let identity = "1546:01a8@pci-0000:00:14.0-usb-0:1:1.0"
    for line in [first, gone, second] { #expect(line?.contains(identity) == true) }
    #expect(daemon.end(with: SIGTERM) == 0)
  }

  @Test("'devices' tells what each port is, without opening it")
  func list() throws {
    let machine = try #require(MockedMachine())
    for device in Self.uninvolved + [Self.ublox] {
      try #require(machine.add(device))
      try #require(machine.watchOpening(of: device))
    }
    let program = try #require(machine.binnacle(["devices", "--format", "json"]))
    let lines = [program.nextLine(), program.nextLine(), program.nextLine()].compactMap(\.self)
    #expect(program.wait() == 0)
    let expected = [
      #"{"port":"/dev/ttyACM0","verdict":"used","reason":"u-blox 8: a GNSS receiver"#,
      #"{"port":"/dev/ttyACM1","verdict":"claimable","reason":"Arduino board"#,
      #"{"port":"/dev/ttyUSB0","verdict":"claimable","reason":"Silicon Labs bridge"#,
    ]
    #expect(lines.count == expected.count)
    for (line, start) in zip(lines, expected) { #expect(line.hasPrefix(start)) }
    #expect(lines.last?.contains(#""identity":"10c4:ea60@pci-0000:00:14.0-usb-0:3:1.0""#) == true)
    for device in Self.uninvolved + [Self.ublox] { #expect(machine.openCount(of: device) == 0) }
  }

  @Test("'devices' ends with 3 where there are no ports")
  func none() throws {
    let machine = try #require(MockedMachine())
    let program = try #require(machine.binnacle(["devices"]))
    #expect(program.nextLine()?.contains("no serial ports") == true)
    #expect(program.wait() == 3)
  }

  @Test("a claim makes a bridge used, in the daemon and in the list")
  func claim() throws {
    let machine = try #require(MockedMachine())
    try #require(machine.add(Self.bridge))
    let configuration = machine.root + "/binnacle.conf"
    let text = Array("[receiver /dev/ttyUSB0]\nclaim = yes\nbaud = 9600\n".utf8)
    let file = open(configuration, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(write(file, text, text.count) == text.count && close(file) == 0)

    let program = try #require(machine.binnacle(["devices", "--config", configuration]))
    #expect(program.nextLine() == "/dev/ttyUSB0  used: claimed in the configuration")
    #expect(program.wait() == 0)
    let daemon = try #require(
      machine.binnacle([
        "run", "--config", configuration, "--log", machine.root + "/fixes.ring",
      ]))
    #expect(try hears("receiving on /dev/ttyUSB0", from: daemon, Self.bridge, on: machine) != nil)
    #expect(daemon.end(with: SIGTERM) == 0)
  }
}

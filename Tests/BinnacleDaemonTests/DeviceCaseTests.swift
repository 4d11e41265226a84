import Bytes
import FixLog
import GNSS
import Glibc
import ReceiverControl
import Testing

@testable import BinnacleDaemon

/// Faults of ports that were reported against other programs, as they are here.
@Suite("Device cases") struct DeviceCaseTests {
  static let place = "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.1:1.0"
  static let sentence = "$GNRMC,120000.00,A,5954.83400,N,01045.25200,E,0.213,,301126,,,A*6D\r\n"

  private var core = DaemonCore(
    .init(
      bootTag: 1, bootID: "boot", version: "test", buildDate: UTCTime(seconds: 1_780_000_000)),
    at: DeviceCaseTests.now(0))

  private static func now(_ seconds: Double) -> Now {
    Now(
      monotonic: Monotonic(nanoseconds: Int64(seconds * 1e9)),
      system: UTCTime(seconds: 1_796_040_000) + .milliseconds(Int64(seconds * 1000)),
      isSynchronised: false)
  }

  /// A receiver on its own USB, without a serial number and without udev's links.
  private static func receiver(_ name: String) -> PortDescription {
    PortDescription(
      name: name, node: "/dev/" + name,
      transport: .usb(.init(vendorID: 0x1546, productID: 0x01a8, place: place)), driver: "cdc_acm")
  }

  private mutating func plugIn(_ name: String, at seconds: Double) -> [DaemonCore.Command] {
    core.added(Self.receiver(name), devicePath: "/sys/" + name, at: Self.now(seconds))
  }

  private func opened(_ commands: [DaemonCore.Command]) -> [String] {
    commands.compactMap { if case .open(_, let node) = $0 { node } else { nil } }
  }

  private func isClosed(_ commands: [DaemonCore.Command]) -> Bool {
    commands.contains { if case .close = $0 { true } else { false } }
  }

  /// One sentence comes, and its epoch ends.
  private mutating func fixes(at seconds: Double) -> Int {
    var commands = Array(Self.sentence.utf8).withByteView {
      core.receive(0, $0, errors: nil, at: Self.now(seconds))
    }
    commands += core.timer(at: Self.now(seconds + 2))
    return commands.count { if case .append(.fix, _) = $0 { true } else { false } }
  }

  @Test("without serial number and links it is known by its socket; no speed is sought")
  mutating func socket() {
    #expect(opened(plugIn("ttyACM0", at: 0)) == ["/dev/ttyACM0"])
    #expect(core.receivers.first?.session.identity == "1546:01a8@\(Self.place)")
    let commands = core.opened(0, speed: 9600, at: Self.now(0))
    #expect(!commands.contains { if case .setSpeed = $0 { true } else { false } })
    _ = core.timer(at: Self.now(10))
    #expect(core.receivers.first?.session.baud == nil)
  }

  @Test("reading fails before the removal is told: closed at once, and the same under a new name")
  mutating func resetOfUSB() {
    _ = plugIn("ttyACM0", at: 0)
    _ = core.opened(0, speed: 9600, at: Self.now(0))
    #expect(fixes(at: 1) == 1)
    #expect(isClosed(core.ended(0, "removed", at: Self.now(5))))
    #expect(core.removed(devicePath: "/sys/ttyACM0", at: Self.now(5.1)).isEmpty)
    #expect(opened(core.timer(at: Self.now(5.9))).isEmpty)
    #expect(opened(plugIn("ttyACM1", at: 6)) == ["/dev/ttyACM1"])
    #expect(core.receivers.count == 1)
    _ = core.opened(0, speed: 9600, at: Self.now(6))
    #expect(fixes(at: 7) == 1)
  }

  @Test("a console on a port that was asked for by name is said, and the port left alone")
  func console() throws {
    let folder = try KeeperScratch()
    let link = folder.path + "/serial0"
    try #require(symlink("/dev/null", link) == 0)
    for use in [PortDescription.SystemUse.kernelConsole, .login] {
      let obstacle = PortDescription.obstacle(on: link) { $0 == "null" ? use : nil }
      #expect(obstacle?.hasPrefix("\(link): ") == true)
    }
    let console = PortDescription.obstacle(on: link) { _ in .kernelConsole }
    #expect(console?.contains("console") == true)
    #expect(PortDescription.obstacle(on: link) { _ in nil } == nil)
  }

  @Test("a modem's four ports stay closed, and are told apart by their interfaces")
  mutating func modem() {
    var identities: Set<String> = []
    for interface in 0..<4 {
      let port = PortDescription(
        name: "ttyUSB\(interface)", node: "/dev/ttyUSB\(interface)",
        transport: .usb(
          .init(
            vendorID: 0x2c7c, productID: 0x0306, serial: "a1b2", interfaceNumber: interface,
            place: "platform-xhci-usb-0:1.4:1.\(interface)")),
        driver: "option1")
      identities.insert(port.identity)
      #expect(core.added(port, devicePath: "/sys/\(interface)", at: Self.now(0)).isEmpty)
    }
    #expect(identities.count == 4)
    #expect(core.receivers.isEmpty)
  }

  @Test("a port that another program holds for ten seconds is asked for seldom, and got soon")
  mutating func busy() {
    var attempts = opened(plugIn("ttyACM0", at: 0)).count
    var time = 0.1
    while time < 12 {
      _ = core.openFailed(0, "busy", at: Self.now(time))
      time = Double((core.deadline ?? .never).nanoseconds) / 1e9
      attempts += opened(core.timer(at: Self.now(time))).count
    }
    #expect(time < 20)
    #expect((3...12).contains(attempts))
    _ = core.opened(0, speed: 9600, at: Self.now(time))
    #expect(fixes(at: time + 1) == 1)
  }

  @Test("found by the list and told of by udev, it is opened once")
  mutating func twice() {
    #expect(opened(plugIn("ttyACM0", at: 0) + plugIn("ttyACM0", at: 0.4)).count == 1)
    _ = core.opened(0, speed: 9600, at: Self.now(0.5))
    #expect(plugIn("ttyACM0", at: 0.6).isEmpty)
    #expect(core.receivers.count == 1)
    #expect(fixes(at: 1) == 1)
  }

  @Test("a port that hangs up whenever it is read is closed each time, and rested from")
  mutating func hangUp() {
    _ = plugIn("ttyACM0", at: 0)
    _ = core.opened(0, speed: 9600, at: Self.now(0))
    #expect(fixes(at: 1) == 1)
    var (readCount, time) = (0, 2.0)
    while time < 10 {
      readCount += 1
      #expect(isClosed(core.ended(0, "hung up", at: Self.now(time))))
      time = Double((core.deadline ?? .never).nanoseconds) / 1e9
      #expect(opened(core.timer(at: Self.now(time))).count == 1)
      _ = core.opened(0, speed: 9600, at: Self.now(time))
    }
    #expect(readCount <= 20)
    _ = core.removed(devicePath: "/sys/ttyACM0", at: Self.now(time))
    #expect(core.deadline == nil)
  }
}

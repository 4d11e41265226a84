import Bytes
import GNSS
import GNSSWire
import ReceiverControl
import Testing

@testable import BinnacleDaemon
@testable import FixLog

@Suite("Daemon core") struct DaemonCoreTests {
  private let start = UTCTime(seconds: 1_791_954_000)

  private func now(_ seconds: Double) -> Now {
    Now(
      monotonic: Monotonic(nanoseconds: Int64(seconds * 1e9)),
      system: start + .milliseconds(Int64(seconds * 1000)), isSynchronised: false)
  }

  private func core(nodes: [String] = [], receivers: [Configuration.Receiver] = []) -> DaemonCore {
    var settings = DaemonCore.Settings(
      bootTag: 1, bootID: "boot", version: "test", buildDate: UTCTime(seconds: 1_780_000_000))
    (settings.nodes, settings.receivers) = (nodes, receivers)
    return DaemonCore(settings, at: now(0))
  }

  private func receiver(_ node: String, product: UInt16 = 0x01a8, place: String = "usb-0:1:1.0")
    -> PortDescription
  {
    PortDescription(
      name: String(node.dropFirst(5)), node: node,
      transport: .usb(.init(vendorID: 0x1546, productID: product, place: place)),
      driver: "cdc_acm")
  }

  /// One epoch of a walking receiver, checksums computed apart.
  private func epoch(_ second: Int) -> [UInt8] {
    let time = "0506\(second < 10 ? "0" : "")\(second).00"
    var buffer = OutputBuffer()
    for body in [
      "GNGGA,\(time),4920.5000,S,07013.2500,E,1,08,1.10,12.0,M,44.0,M,,",
      "GNRMC,\(time),A,4920.5000,S,07013.2500,E,1.50,120.0,141026,,,A",
    ] {
      let sum = body.utf8.reduce(UInt8(0), ^)
      buffer.append(text: "$\(body)*")
      buffer.append(text: (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n")
    }
    return buffer.bytes
  }

  private func feed(_ core: inout DaemonCore, _ seconds: Range<Int>) -> [DaemonCore.Command] {
    seconds.flatMap { second in
      epoch(second % 60).withByteView {
        core.receive(0, $0, errors: nil, at: now(Double(second)))
      }
    }
  }

  private func events(_ commands: [DaemonCore.Command]) -> [EventKind] {
    commands.compactMap {
      if case .append(.event(let event), _) = $0 { event.kind } else { nil }
    }
  }

  private func opened(_ commands: [DaemonCore.Command]) -> [String] {
    commands.compactMap { if case .open(_, let node) = $0 { node } else { nil } }
  }

  @Test("a receiver by its USB id is opened, an Arduino and a bare bridge are not")
  func claims() {
    var core = core()
    #expect(
      opened(core.added(receiver("/dev/ttyACM0"), devicePath: "/a", at: now(0))) == ["/dev/ttyACM0"]
    )
    for (vendor, product) in [(0x2341, 0x0043), (0x10c4, 0xea60)] as [(UInt16, UInt16)] {
      var port = receiver("/dev/ttyACM1")
      port.transport = .usb(.init(vendorID: vendor, productID: product, place: "usb-0:2:1.0"))
      #expect(core.added(port, devicePath: "/b", at: now(0)).isEmpty)
    }
  }

  @Test("a claimed bridge is opened, a receiver that the configuration forbids is not")
  func configured() {
    var bridge = receiver("/dev/ttyUSB0")
    bridge.transport = .usb(.init(vendorID: 0x10c4, productID: 0xea60, place: "usb-0:2:1.0"))
    bridge.driver = "cp210x"
    let names = [
      Configuration.Receiver(name: "/dev/ttyUSB0", claim: true),
      Configuration.Receiver(name: "/dev/ttyACM0", claim: false),
    ]
    var core = core(receivers: names)
    #expect(opened(core.added(bridge, devicePath: "/b", at: now(0))) == ["/dev/ttyUSB0"])
    #expect(core.added(receiver("/dev/ttyACM0"), devicePath: "/a", at: now(0)).isEmpty)
  }

  @Test("unplugged and plugged in again under another name it is the same receiver")
  func replugged() {
    var core = core()
    _ = core.added(receiver("/dev/ttyACM0"), devicePath: "/a/ttyACM0", at: now(0))
    _ = core.opened(0, speed: 9600, at: now(0))
    _ = feed(&core, 0..<3)
    let gone = core.removed(devicePath: "/a/ttyACM0", at: now(3))
    #expect(events(gone) == [.detach])
    let back = core.added(receiver("/dev/ttyACM3"), devicePath: "/a/ttyACM3", at: now(20))
    #expect(opened(back) == ["/dev/ttyACM3"])
    #expect(core.receivers.count == 1)
    _ = core.opened(0, speed: 9600, at: now(20))
    let commands = feed(&core, 20..<23)
    #expect(events(commands) == [.attach, .gap])
    #expect(
      commands.contains {
        if case .append(.event(let event), _) = $0 {
          event[.reason] == .text("receiver detached")
        } else {
          false
        }
      })
  }

  @Test("two receivers of one model without serial numbers are told apart by their sockets")
  func twins() {
    var core = core()
    _ = core.added(receiver("/dev/ttyACM0", place: "usb-0:1:1.0"), devicePath: "/a", at: now(0))
    _ = core.added(receiver("/dev/ttyACM1", place: "usb-0:2:1.0"), devicePath: "/b", at: now(0))
    #expect(Set(core.receivers.map(\.descriptor.receiverID)).count == 2)
  }

  @Test("the seventeenth receiver is refused with a word")
  func limit() {
    var core = core()
    for index in 0..<16 {
      let port = receiver("/dev/ttyACM\(index)", place: "usb-0:\(index):1.0")
      #expect(!opened(core.added(port, devicePath: "/\(index)", at: now(0))).isEmpty)
    }
    let port = receiver("/dev/ttyACM16", place: "usb-0:16:1.0")
    let commands = core.added(port, devicePath: "/16", at: now(0))
    guard case .say? = commands.first, commands.count == 1 else {
      Issue.record("expected one message, not \(commands)")
      return
    }
  }

  @Test("each epoch becomes one record, behind the clock's first one")
  func records() {
    var core = core(nodes: ["/dev/x"])
    #expect(opened(core.start(recovery: .clean, at: now(0))) == ["/dev/x"])
    #expect(core.opened(0, speed: nil, at: now(0)).isEmpty)
    let commands = feed(&core, 7..<10)
    var contents: [String] = []
    for case .append(let content, _) in commands {
      switch content {
      case .fix(let fix, let stream):
        contents.append("fix \(fix.time?.iso8601 ?? "-") \(stream.name)")
      case .event(let event): contents.append("event \(event.kind)")
      case .clock(let record): contents.append("clock \(record.time.iso8601)")
      }
    }
    #expect(
      contents == [
        "event attach", "clock 2026-10-14T05:06:07.000Z", "fix 2026-10-14T05:06:07.000Z /dev/x",
        "fix 2026-10-14T05:06:08.000Z /dev/x",
      ])
    #expect(core.deadline != nil, "the last epoch is closed by its deadline")
  }

  @Test("a port that cannot be opened is tried again, ever more seldom, and told of once")
  func retries() {
    var core = core(nodes: ["/dev/x"])
    _ = core.start(recovery: .clean, at: now(0))
    var (said, times, time) = (0, [Double](), 0.0)
    for _ in 0..<7 {
      for case .say in core.openFailed(0, "/dev/x: access denied", at: now(time)) { said += 1 }
      let due = core.deadline ?? .never
      time = Double(due.nanoseconds) / 1e9
      times.append(time)
      #expect(opened(core.timer(at: now(time))) == ["/dev/x"])
    }
    #expect(said == 1)
    #expect(times == [1, 3, 8, 18, 48, 78, 108])
  }

  @Test("a step of the system clock is an event")
  func clockStep() {
    var core = core()
    let stepped = Now(
      monotonic: Monotonic(nanoseconds: 5_000_000_000), system: start + .seconds(500_000),
      isSynchronised: true)
    #expect(events(core.clockStepped(at: stepped)) == [.clockStep])
    #expect(core.deadline == nil)
  }

  @Test("bytes of a slot that there is not do nothing")
  func strangers() {
    var core = core()
    #expect(
      epoch(1).withByteView {
        core.receive(7, $0, errors: LineErrors(frame: 3, overrun: 0), at: now(0))
      }.isEmpty)
    #expect(core.opened(7, speed: 1, at: now(0)).isEmpty)
    #expect(core.removed(devicePath: "/nowhere", at: now(0)).isEmpty)
  }
}

extension RecoveryReport {
  /// An empty log, closed well.
  static let clean = RecoveryReport(
    sequence: 0, recordCount: 0, tornSlotCount: 0, wasSearched: false, savedBlockCount: 0,
    readCount: 7)
}

import GNSS
import GNSSWire
import ReceiverControl
import Testing

@testable import ReceiverSimulator

/// What goes wrong with receivers, and that it ends in a working session or in a named report.
@Suite("Receiver faults") struct ReceiverFaultTests {
  static func host(
    _ name: String, _ faults: Set<SimulatedReceiverKind.Fault>,
    transport: ReceiverLink.Transport = .uart
  ) throws -> SimulatedHost {
    var kind = try #require(SimulatedReceiverKind.named(name))
    kind.faults.formUnion(faults)
    kind.isNativeUSB = transport == .nativeUSB
    return try SimulatedHost(kind, transport: transport)
  }

  static func configured(
    _ host: inout SimulatedHost, _ wanted: ReceiverSettings = ReceiverSettings()
  ) throws -> (ReceiverModel, ConfigurationReport) {
    let model = try host.identify()
    let plan = ConfigurationPlan(for: wanted, model: model, link: host.link, isFirst: true)
    let report = try host.configure(plan)
    host.link.baud = report.baud
    return (model, report)
  }

  @Test("a refused key is found alone, and the others are set")
  func bisect() throws {
    let key = UBXKey.staticHoldDistance
    var host = try Self.host("ublox-m10", [.lacksKey(key.id)])
    let (_, report) = try Self.configured(&host, ReceiverSettings(activity: .fitness))
    #expect(report.unsupported == [key])
    #expect(host.receiver.memory.keys[UBXKey.navDynamicModel.id] == 3)
    #expect(report.lines.first { $0.name == "dynamic model" }?.outcome == .refused)
    #expect(report.isReachable)
  }

  @Test("an acknowledgement that is lost costs a try and no setting", arguments: [2, 3, 5])
  func lostAcknowledgement(every: Int) throws {
    var host = try Self.host("ublox-m8", [.losesAcknowledgement(every: every)])
    let (_, report) = try Self.configured(&host)
    #expect(report.isComplete, "\(report.lines)")
  }

  @Test("a receiver that acknowledges and does nothing is found out")
  func withoutEffect() throws {
    var host = try Self.host("ublox-m10", [.withoutEffect])
    let (_, report) = try Self.configured(&host, ReceiverSettings(activity: .fitness))
    #expect(report.lines.first?.outcome == .withoutEffect)
    // NMEA is left on: nothing else would come.
    #expect(report.lines.first { $0.name == "NMEA off" }?.outcome == .leftOut)
  }

  @Test("a rate that does not work is taken back", arguments: ["ublox-m10", "ublox-m8", "mtk3339"])
  func badBaud(name: String) throws {
    var host = try Self.host(name, [.cannotChangeBaud])
    let (_, report) = try Self.configured(&host, ReceiverSettings(baud: 115_200))
    #expect(report.badBaud == 115_200)
    #expect(report.baud == host.receiver.baud)
    #expect(report.isReachable)
  }

  @Test("a receiver on its own USB is never told to leave it")
  func usb() throws {
    var host = try Self.host("ublox-m8", [], transport: .nativeUSB)
    let (model, report) = try Self.configured(&host)
    #expect(report.isComplete, "\(report.lines)")
    var sleep = SleepControl(model: model, link: host.link)
    #expect(
      try host.run(&sleep, .sleep(for: .seconds(300)), for: .seconds(20)) == .asleep(.ubxStop))
    #expect(host.refusedCount == 0)
    host.write(ReceiverCommand.ubxSleep(.seconds(300), form: .long).bytes)
    #expect(host.refusedCount == 1)
    #expect(host.receiver.power == .on)
  }

  @Test("a sleep order asks for the planned time, by UART too, and twelve days at most")
  func powerRequest() throws {
    var host = try Self.host("ublox-m10", [.wakesByTimerOnly])
    let (model, _) = try Self.configured(&host)
    var sleep = SleepControl(model: model, link: host.link)
    _ = try host.run(&sleep, .sleep(for: .seconds(600)), for: .seconds(20))
    let sent = host.receiver.heardCommands.last { $0[2] == 0x02 && $0[3] == 0x41 }
    let request = try #require(sent)
    #expect(request.count == 24)
    let milliseconds = request[10..<14].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect((540_000...660_000).contains(milliseconds))
    #expect(request[14] & 2 != 0)
    #expect(request[18] & 8 != 0)
    // It does not wake by a byte. That is reported, after more than one try.
    let early = try host.run(&sleep, .wake, for: .seconds(60))
    #expect(early == .unresponsive)
    // Its timer brings it back, and that is noticed.
    guard case .awake(let awakening) = try host.run(&sleep, nil, for: .seconds(700)) else {
      Issue.record("it never came back")
      return
    }
    #expect(awakening.needsConfiguration)
  }

  @Test(
    "a receiver that will not sleep stays awake and is reported",
    arguments: ["mtk3339", "l76k"])
  func neverSleeps(name: String) throws {
    var host = try Self.host(name, [.neverSleeps])
    let (model, _) = try Self.configured(&host)
    var sleep = SleepControl(model: model, link: host.link)
    #expect(try host.run(&sleep, .sleep(for: .seconds(60)), for: .seconds(60)) == .degraded)
    #expect(sleep.method == nil)
  }

  @Test("u-blox falls back to stopping the search where the backup mode fails")
  func fallback() throws {
    var host = try Self.host("ublox-m10", [.neverSleeps])
    let (model, _) = try Self.configured(&host)
    var sleep = SleepControl(model: model, link: host.link)
    let end = try host.run(&sleep, .sleep(for: .seconds(60)), for: .seconds(60))
    #expect(end == .asleep(.ubxStop))
    #expect(!host.receiver.isNavigating)
    guard case .awake = try host.run(&sleep, .wake, for: .seconds(20)) else {
      Issue.record("it did not come back")
      return
    }
  }

  @Test("waking by itself is counted, and ends the use of the method")
  func wakesItself() throws {
    var host = try Self.host("mtk3339", [.wakesItself(20)])
    let (model, _) = try Self.configured(&host)
    var sleep = SleepControl(model: model, link: host.link)
    for count in 1...SleepControl.selfWakesMax {
      _ = try host.run(&sleep, .sleep(for: .seconds(300)), for: .seconds(20))
      guard case .awake(let awakening) = try host.run(&sleep, nil, for: .seconds(60)) else {
        Issue.record("it did not wake by itself")
        return
      }
      #expect(awakening.isSelf)
      #expect(sleep.selfWakeCount == count)
    }
    #expect(sleep.method == nil)
  }

  @Test("settings lost with the supply are set again at the first rate")
  func supplyCut() throws {
    var host = try Self.host("ublox-m8", [])
    let (model, report) = try Self.configured(&host, ReceiverSettings(baud: 115_200))
    #expect(report.baud == 115_200)
    host.receiver.setSupply(false, keepsBackup: false, at: host.now)
    host.wait(.seconds(5))
    host.receiver.setSupply(true, keepsBackup: false, at: host.now)
    host.link.baud = 9600
    let again = try host.configure(
      ConfigurationPlan(
        for: ReceiverSettings(baud: 115_200), model: model, link: host.link, isFirst: false))
    #expect(again.isComplete, "\(again.lines)")
    #expect(host.receiver.baud == 115_200)
  }

  @Test("a cycle of sleep and wake-up writes to RAM alone, and asks for no save")
  func cycleWear() throws {
    var host = try Self.host("ublox-m10", [])
    let (model, _) = try Self.configured(&host)
    var sleep = SleepControl(model: model, link: host.link)
    let before = host.receiver.heardCommands.count
    for _ in 0..<3 {
      _ = try host.run(&sleep, .sleep(for: .seconds(60)), for: .seconds(20))
      _ = try host.run(&sleep, .wake, for: .seconds(20))
      // As after a supply cut: the battery-backed memory is gone too.
      host.receiver.setSupply(false, keepsBackup: false, at: host.now)
      host.receiver.setSupply(true, keepsBackup: false, at: host.now)
      let plan = ConfigurationPlan(
        for: ReceiverSettings(), model: model, link: host.link, isFirst: false)
      #expect(try host.configure(plan).isComplete)
    }
    let writes = host.receiver.heardCommands.dropFirst(before).filter {
      $0[2] == 0x06 && ($0[3] == 0x8a || $0[3] == 0x09)
    }
    #expect(!writes.isEmpty)
    #expect(writes.allSatisfy { $0[3] == 0x8a && $0[7] == 1 })
  }

  /// More can be run by hand: the number is the only bound.
  static let injectionCount: UInt64 = 60

  @Test("faults drawn at random never leave a session stuck")
  func injected() throws {
    let names = ["ublox-m10", "ublox-m8", "ublox-f9", "mtk3339", "l76k", "lc29h"]
    for seed in 1...Self.injectionCount {
      var random = SeededRandom(seed: seed)
      let name = names[Int(random.next() % 6)]
      let all: [SimulatedReceiverKind.Fault] = [
        .withoutEffect, .wakesByTimerOnly, .neverSleeps, .wakesItself(12), .cannotChangeBaud,
        .losesAcknowledgement(every: 2 + Int(random.next() % 4)),
        .lacksKey(UBXKey.signalSBAS.id), .lacksKey(UBXKey.output(.navEOE, on: .uart1).id),
      ]
      let faults = Set(all.filter { _ in random.next() % 3 == 0 })
      var host = try Self.host(name, faults)
      let (model, _) = try Self.configured(
        &host, ReceiverSettings(baud: random.next() % 2 == 0 ? 57_600 : nil))
      var sleep = SleepControl(model: model, link: host.link)
      var ends: [SimulatedHost.SleepEnd?] = []
      for _ in 0..<2 {
        ends.append(try host.run(&sleep, .sleep(for: .seconds(30)), for: .seconds(45)))
        if random.next() % 4 == 0 {
          host.receiver.setSupply(false, keepsBackup: false, at: host.now)
          host.wait(.seconds(2))
          host.receiver.setSupply(true, keepsBackup: false, at: host.now)
          host.link.baud = host.receiver.baud
          _ = sleep.handle(.reattached, at: host.now)
        }
        ends.append(try host.run(&sleep, .wake, for: .seconds(60)))
        host.link.baud = host.receiver.baud
        if !sleep.isAwake { _ = sleep.handle(.reattached, at: host.now) }
      }
      host.lastFix = nil
      host.wait(.seconds(90))
      let isReported = ends.contains(.lost)
      #expect(host.lastFix != nil || isReported, "seed \(seed): \(name) \(faults) \(ends)")
      #expect(host.refusedCount == 0, "seed \(seed)")
    }
  }
}

import GNSS
import GNSSWire
import ReceiverControl
import Testing

@testable import ReceiverSimulator

/// Probe, identify, configure, sleep, wake and fix, against every kind of simulated receiver.
@Suite("Receiver session") struct ReceiverSessionTests {
  static let kinds: [(String, ChipFamily, String)] = [
    ("ublox-m10", .ublox, "MAX-M10S"), ("ublox-m8", .ublox, "NEO-M8N-0"),
    ("ublox-f9", .ublox, "ZED-F9P"), ("mtk3339", .mediatek, "PA6H"), ("l76k", .casic, "L76K"),
    ("lc29h", .airoha, "LC29HDANR11A03S"), ("generic-nmea", .unknown, ""),
    ("clone-relabelled", .ublox, "NEO-M8N-0"), ("clone-without-effect", .ublox, "u-blox 8"),
    ("clone-atgm336h", .casic, "ATGM336H"), ("clone-read-only", .unknown, ""),
  ]

  static func host(_ name: String) throws -> SimulatedHost {
    try SimulatedHost(try #require(SimulatedReceiverKind.named(name)))
  }

  @Test("each kind is identified", arguments: kinds)
  func identify(name: String, family: ChipFamily, model: String) throws {
    var host = try Self.host(name)
    let found = try host.identify()
    #expect(found.family == family)
    #expect(found.name == model)
  }

  static let obedient = ["ublox-m10", "ublox-m8", "ublox-f9", "mtk3339", "l76k", "lc29h"]

  @Test(
    "each obedient kind is configured, every setting verified where it can be",
    arguments: obedient)
  func configure(name: String) throws {
    var host = try Self.host(name)
    let model = try host.identify()
    let wanted = ReceiverSettings(activity: .automotiveNavigation, baud: 115_200)
    let plan = ConfigurationPlan(for: wanted, model: model, link: host.link, isFirst: true)
    let report = try host.configure(plan)
    #expect(report.isComplete, "\(report.lines)")
    #expect(report.baud == 115_200)
    #expect(host.receiver.baud == 115_200)
    #expect(host.refusedCount == 0)
    if model.family == .ublox { #expect(!host.receiver.memory.sendsNMEA) }
  }

  @Test(
    "each obedient kind sleeps, wakes, is configured again if need be, and has a fix",
    arguments: obedient)
  func cycle(name: String) throws {
    var host = try Self.host(name)
    let model = try host.identify()
    let wanted = ReceiverSettings(baud: 115_200)
    let first = ConfigurationPlan(for: wanted, model: model, link: host.link, isFirst: true)
    host.link.baud = try host.configure(first).baud
    host.wait(.seconds(50))
    var sleep = SleepControl(model: model, link: host.link)
    let method = try #require(sleep.method)
    #expect(try host.run(&sleep, .sleep(for: .seconds(60)), for: .seconds(20)) == .asleep(method))
    if method.isSilent, method != .airohaOff {
      #expect(host.receiver.power != .on)
    } else {
      #expect(!host.receiver.isNavigating)
    }
    #expect(try host.run(&sleep, nil, for: .seconds(40)) == nil)
    let end = try host.run(&sleep, .wake, for: .seconds(40))
    guard case .awake(let awakening) = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(!awakening.isSelf)
    host.link.baud = awakening.baud
    if awakening.needsConfiguration {
      let again = ConfigurationPlan(for: wanted, model: model, link: host.link, isFirst: false)
      let report = try host.configure(again)
      #expect(report.isComplete, "\(report.lines)")
      host.link.baud = report.baud
    }
    host.lastFix = nil
    host.wait(.seconds(20))
    #expect(host.lastFix != nil)
    #expect(host.refusedCount == 0)
  }

  @Test("a restore leaves the receiver as it was found", arguments: ["ublox-m10", "ublox-m8"])
  func restore(name: String) throws {
    var host = try Self.host(name)
    let before = host.receiver.memory
    let model = try host.identify()
    let wanted = ReceiverSettings(
      interval: .milliseconds(500), activity: .fitness, constellations: [.gps], baud: 57_600)
    let report = try host.configure(
      ConfigurationPlan(for: wanted, model: model, link: host.link, isFirst: true))
    #expect(report.isComplete, "\(report.lines)")
    host.link.baud = report.baud
    let restored = try host.configure(
      ConfigurationPlan(restoring: report.found, model: model, link: host.link))
    #expect(restored.isComplete, "\(restored.lines)")
    #expect(host.receiver.memory.keys == before.keys)
    for (slot, payload) in before.payloads {
      #expect(host.receiver.memory.payloads[slot] == payload)
    }
    #expect(host.receiver.baud == 9600)
  }
}

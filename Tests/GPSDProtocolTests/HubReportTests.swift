import Bytes
import GNSS
import Testing

@testable import GPSDProtocol

@Suite("Reports to clients") struct HubReportTests {
  @Test("one TPV an epoch, TPV first, and all that an epoch tells in one send")
  func epochs() throws {
    var harness = watching()
    var epoch = harness.fixed
    epoch.satellites = [Satellite(constellation: .gps, svid: 5)]
    epoch.satellitesAreFresh = true
    (epoch.fix.dop.horizontal, epoch.fix.heading) = (1, 12)
    epoch.fix.errorStatistics = ErrorStatistics()
    harness.epoch(epoch)
    epoch.satellitesAreFresh = false
    harness.wait(.seconds(1))
    harness.epoch(epoch)
    let sends = harness.sent[.init(1)] ?? []
    #expect(sends.count == 2)
    let reports = harness.reports(1)
    try #require(reports.map(\.className) == ["TPV", "ATT", "SKY", "TPV", "ATT"])
    #expect(reports[1]["heading"]?.number == 12)
    #expect(reports[2]["nSat"]?.integer == 1)
  }

  @Test("GST goes to those who ask for it")
  func errorStatistics() {
    var harness = watching()
    harness.connect(2)
    harness.say(2, #"?WATCH={"json":true,"gst":true}"#)
    _ = (harness.received(1), harness.received(2))
    var epoch = harness.fixed
    var statistics = ErrorStatistics()
    (statistics.rms, statistics.latitude, statistics.altitude) = (2, 0.5, 1.25)
    epoch.fix.errorStatistics = statistics
    harness.epoch(epoch)
    #expect(harness.reports(1).map(\.className) == ["TPV"])
    #expect(
      harness.lines(2).last
        == #"{"class":"GST","device":"/dev/ttyACM0","time":"2026-10-14T10:11:12.000Z","#
        + #""rms":2.000,"lat":0.500,"alt":1.250}"#)
  }

  @Test("without a date no time is told")
  func undated() {
    var harness = watching()
    var epoch = harness.fixed
    epoch.fix.time = nil
    epoch.fix.timeOfDay = TimeOfDay(hour: 15, minute: 17, second: 9)
    harness.epoch(epoch)
    let report = harness.reports(1)[0]
    #expect(report["time"] == nil)
    #expect(report["lat"]?.number == -49.5)
  }

  @Test("while the receiver sleeps its last fix is repeated as it was, every 4 s")
  func asleep() {
    var harness = watching()
    harness.epoch(harness.fixed)
    harness.hub.device(HubHarness.path, isAsleep: true, at: harness.now)
    let last = harness.received(1)
    harness.wait(.milliseconds(3999))
    #expect(harness.received(1).isEmpty)
    harness.wait(.milliseconds(1))
    #expect(harness.received(1) == last)
    harness.wait(.seconds(3600))
    #expect(harness.received(1) == Array(repeating: last[0], count: 900))
    harness.hub.device(HubHarness.path, isAsleep: false, at: harness.now)
    harness.wait(.seconds(1))
    harness.epoch(harness.fixed)
    let next = harness.reports(1).last
    #expect(next?["time"]?.string == "2026-10-14T11:11:17.000Z")
  }

  @Test("an epoch on its way when the receiver was told to sleep promises none after it")
  func fallingAsleep() {
    var harness = watching()
    for _ in 0..<3 {
      harness.wait(.milliseconds(200))
      harness.epoch(harness.fixed)
    }
    harness.hub.device(HubHarness.path, isAsleep: true, at: harness.now)
    harness.wait(.milliseconds(200))
    harness.epoch(harness.fixed)
    // It is believed to sleep after four seconds and a half of silence.
    harness.wait(.milliseconds(4500))
    harness.hub.device(HubHarness.path, isAsleep: true, at: harness.now)
    harness.wait(.seconds(60))
    #expect(harness.reports(1).allSatisfy { $0.mode == 3 })
  }

  static let rates: [(interval: Duration, latest: Duration)] = [
    (.seconds(1), .milliseconds(2100)), (.milliseconds(100), .milliseconds(300)),
    (.seconds(2), .milliseconds(4100)),
  ]

  @Test("silence of a receiver that is awake is told as mode 1 within two epochs", arguments: rates)
  func lost(interval: Duration, latest: Duration) {
    var harness = watching()
    for _ in 0..<3 {
      harness.wait(interval)
      harness.epoch(harness.fixed)
    }
    _ = harness.received(1)
    harness.wait(latest - .milliseconds(1))
    #expect(!harness.reports(1).contains { $0.mode == 1 })
    harness.wait(.milliseconds(1))
    #expect(
      harness.received(1) == [#"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"# + "\r\n"])
    harness.wait(.seconds(8))
    #expect(harness.reports(1).map(\.mode) == [1, 1])
    harness.epoch(harness.fixed)
    #expect(harness.reports(1).map(\.mode) == [3])
  }

  @Test("a fix that the receiver lost is told at once")
  func searching() {
    var harness = watching()
    harness.epoch(harness.fixed)
    harness.epoch(harness.searching)
    #expect(harness.reports(1).map(\.mode) == [3, 1])
  }

  @Test("an epoch that comes late or is missed once is no loss")
  func late() {
    var harness = watching()
    let start = harness.now.utc
    for (pause, second) in [
      (1000, 1), (1000, 2), (1200, 3), (900, 4), (2000, 6), (900, 7), (2050, 9),
    ] {
      harness.wait(.milliseconds(pause))
      var epoch = harness.fixed
      epoch.fix.time = start + .seconds(second)
      harness.epoch(epoch)
    }
    #expect(Set(harness.reports(1).map(\.mode)) == [3])
  }

  @Test("a receiver that stays silent after waking is told as lost")
  func deadOnWaking() {
    var harness = watching()
    harness.epoch(harness.fixed)
    harness.hub.device(HubHarness.path, isAsleep: true, at: harness.now)
    harness.wait(.seconds(60))
    harness.hub.device(HubHarness.path, isAsleep: false, at: harness.now)
    _ = harness.received(1)
    harness.wait(.seconds(5))
    #expect(harness.reports(1).last?.mode == 1)
  }

  @Test("polled while the receiver sleeps, the last fix keeps its own time")
  func pollAsleep() throws {
    var harness = HubHarness.withDevice()
    harness.connect(1)
    harness.say(1, #"?WATCH={"enable":true}"#)
    let start = harness.now.utc
    harness.epoch(harness.fixed)
    harness.wait(.seconds(2))
    harness.hub.device(HubHarness.path, isAsleep: true, at: harness.now)
    for (pause, age) in [(28, 30), (270, 300)] {
      harness.wait(.seconds(pause))
      harness.say(1, "?POLL;")
      let poll = try #require(harness.reports(1).last)
      let report = try #require(poll["tpv"]?.array?.last)
      #expect(poll["time"]?.string == (start + .seconds(age)).iso8601)
      #expect(report["time"]?.string == start.iso8601)
      #expect(report.mode == 3)
    }
    harness.wait(.seconds(300))
    harness.hub.device(HubHarness.path, isAsleep: false, at: harness.now)
    harness.wait(.seconds(1))
    harness.epoch(harness.fixed)
    harness.say(1, "?POLL;")
    let report = harness.reports(1).last?["tpv"]?.array?.last
    #expect(report?["time"]?.string == (start + .seconds(601)).iso8601)
  }

  @Test("a device that has said nothing yet is mode 0, and who comes later hears the last fix")
  func later() {
    var harness = watching()
    harness.wait(.seconds(4))
    #expect(harness.reports(1).map(\.mode) == [0])
    harness.epoch(harness.fixed)
    harness.connect(2)
    harness.say(2, #"?WATCH={"json":true}"#)
    #expect(harness.reports(2).last?["time"]?.string == "2026-10-14T10:11:16.000Z")
    harness.say(2, #"?WATCH={"json":true}"#)
    #expect(harness.reports(2).map(\.className) == ["DEVICES", "WATCH"])
  }

  @Test("nobody watches: nothing is due")
  func idle() {
    var harness = HubHarness.withDevice()
    harness.epoch(harness.fixed)
    harness.connect(1)
    #expect(harness.hub.deadline == nil)
    harness.say(1, #"?WATCH={"enable":true}"#)
    #expect(harness.hub.deadline == nil)
    harness.wait(.seconds(60))
    harness.say(1, "?POLL;")
    #expect(harness.reports(1).last?["tpv"]?.array?.last?.mode == 1)
  }

  @Test("reduced access gets what the policy leaves; denied gets an error and no session")
  func policy() {
    var harness = HubHarness.withDevice()
    harness.connect(1, .init(access: .reduced, mayWrite: false))
    harness.connect(2, .init(access: .denied, mayWrite: false))
    for id: UInt32 in [1, 2] {
      harness.say(id, #"?WATCH={"json":true,"nmea":true,"raw":2}"#)
      _ = id == 1 ? harness.received(1) : []
    }
    harness.bytes(Array("$GNRMC,,V,,,,,,,,,,N*4D\r\n".utf8))
    harness.epoch(harness.fixed)
    harness.wait(.seconds(1))
    harness.say(1, "?POLL;")
    let received = harness.received(1)
    #expect(received.count == 3)
    #expect(!received.contains { $0.contains("-49.5") || $0.contains("speed") })
    #expect(received[0].contains(#""lat":1.000000000,"lon":2.000000000"#))
    #expect(received[1].contains("GPRMC,101112.00,A,0100.00000,N,00200.00000,E,,,141026"))
    #expect(harness.reports(2).map(\.className) == ["VERSION", "ERROR"])
    #expect(harness.orders == [.beginSession(.init(1), device: nil)])
    harness.run(harness.hub.rightsChanged(.init(1), to: .init(access: .denied, mayWrite: false)))
    harness.epoch(harness.fixed)
    #expect(harness.reports(1).map(\.className) == ["ERROR"])
    #expect(harness.orders.last == .endSession(.init(1)))
  }

  @Test("sentences are passed on as they came; raw is hexadecimal, or as it came")
  func passthrough() {
    var harness = HubHarness.withDevice()
    for (id, mode) in [(1, #""nmea":true"#), (2, #""raw":1"#), (3, #""raw":2"#)] {
      harness.connect(UInt32(id))
      harness.say(UInt32(id), "?WATCH={\(mode)}")
      _ = harness.received(UInt32(id))
    }
    let sentence = "$GPGGA,151709.00,4020.8000,S,00956.4000,W,1,08,1.10,12.0,M,20.0,M,,*61\r\n"
    let frame: [UInt8] = [0xb5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0f, 0x38]
    let stream = Array(sentence.utf8) + [0xff, 0x0a] + frame
    for byte in stream { harness.bytes([byte]) }
    harness.epoch(harness.fixed)
    #expect(harness.received(1) == [sentence])
    #expect(harness.received(2) == [sentence, "b5620501020006010f38\r\n"])
    #expect(harness.received(3).count == stream.count)
  }

  @Test("nobody wants the bytes: nothing is kept of them")
  func unwanted() {
    var harness = HubHarness.withDevice()
    harness.bytes(Array("$GPGGA,1517".utf8))
    harness.connect(1, dialect: .nmea)
    harness.bytes(Array("09.00,4020.8000,S,00956.4000,W,1,08,1.10,12.0,M,20.0,M,,*61\r\n".utf8))
    #expect(harness.received(1).isEmpty)
  }

  @Test("a binary receiver's epochs become sentences, also for plain NMEA clients")
  func synthesised() {
    var harness = HubHarness.withDevice()
    harness.connect(1, dialect: .nmea)
    harness.say(1, "?VERSION;")
    harness.epoch(harness.fixed)
    let lines = harness.received(1).joined().split(separator: "\r\n").map { $0.prefix(6) }
    #expect(lines == ["$GPZDA", "$GPRMC", "$GPGGA", "$GPGSA"])
    harness.connect(2, .init(access: .denied, mayWrite: false), dialect: .nmea)
    #expect(
      harness.orders == [.beginSession(.init(1), device: nil), .close(.init(2))])
  }

  @Test("clock samples: TOFF for those who ask, PPS for all")
  func clock() {
    var harness = watching()
    harness.connect(2)
    harness.say(2, #"?WATCH={"pps":true}"#)
    _ = harness.received(2)
    var epoch = harness.fixed
    epoch.firstByte = harness.now.boottime
    harness.wait(.milliseconds(50))
    harness.epoch(epoch)
    #expect(
      harness.received(2) == [
        #"{"class":"TOFF","device":"/dev/ttyACM0","real_sec":1791972672,"real_nsec":0,"#
          + #""clock_sec":1791972672,"clock_nsec":0,"precision":-2}"# + "\r\n"
      ])
    #expect(harness.reports(1).map(\.className) == ["TPV"])
    harness.run(
      harness.hub.pulse(
        ClockSample(
          device: HubHarness.path, real: 1_791_972_673_000_000_000,
          clock: 1_791_972_672_999_999_123, precision: -20)))
    let pulse =
      #"{"class":"PPS","device":"/dev/ttyACM0","real_sec":1791972673,"real_nsec":0,"#
      + #""clock_sec":1791972672,"clock_nsec":999999123,"precision":-20}"# + "\r\n"
    #expect(harness.received(1) == [pulse])
    #expect(harness.received(2) == [pulse])
  }

  @Test("no line is longer than gpsd's clients read")
  func longest() {
    var harness = watching()
    var epoch = harness.fixed
    for svid in 1...UInt8(Epoch.satelliteCountMax) {
      var satellite = Satellite(constellation: .galileo, svid: svid, signal: 1)
      (satellite.elevation, satellite.azimuth, satellite.cn0) = (-90, 359, 255)
      (satellite.isHealthy, satellite.isUsed) = (true, svid == 140)
      epoch.satellites.append(satellite)
    }
    epoch.satellitesAreFresh = true
    harness.epoch(epoch)
    harness.say(1, "?POLL;")
    let lines = harness.received(1)
    #expect(lines.allSatisfy { $0.utf8.count <= 10_240 || $0.hasPrefix(#"{"class":"POLL""#) })
    #expect(lines[1].contains(#""nSat":96,"uSat":1,"satellites":[{"PRN":440"#))
    harness.say(1, #"?WATCH={"device":"\#(String(repeating: "é", count: 2000))"}"#)
    let error = harness.received(1)
    #expect(error.map { $0.utf8.count <= 512 } == [true])
  }

  private func watching() -> HubHarness {
    var harness = HubHarness.withDevice()
    harness.connect(1)
    harness.say(1, #"?WATCH={"enable":true,"json":true}"#)
    _ = harness.received(1)
    return harness
  }
}

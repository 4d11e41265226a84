import Bytes
import GNSS
import Testing

@testable import GPSDProtocol

@Suite("Clients and requests") struct HubTests {
  static let watch = #"?WATCH={"enable":true,"json":true};"#
  static let positionKeys = [
    "lat", "lon", "alt", "altMSL", "altHAE", "epx", "epy", "epv", "track", "speed", "climb",
  ]

  @Test("the server speaks first")
  func version() {
    var harness = HubHarness()
    harness.connect(1)
    #expect(
      harness.received(1) == [
        #"{"class":"VERSION","release":"3.25-test","rev":"3.25-test","proto_major":3,"#
          + #""proto_minor":15}"# + "\r\n"
      ])
  }

  @Test("without a fix there is a mode and no position, and a poll can be taken apart")
  func searching() throws {
    var harness = HubHarness.withDevice()
    harness.connect(1)
    harness.say(1, Self.watch + "\n")
    harness.epoch(harness.searching)
    harness.say(1, "?POLL;\n")
    let reports = harness.reports(1)
    #expect(
      reports.map(\.className) == ["VERSION", "DEVICES", "WATCH", "TPV", "TPV", "POLL"])
    #expect(reports[3].mode == 0)
    #expect(reports[4].mode == 1)
    #expect(reports[4]["device"]?.string == HubHarness.path)
    let polled = try #require(reports[5]["tpv"]?.array?.last)
    for key in Self.positionKeys {
      #expect(reports[4][key] == nil)
      #expect(polled[key] == nil)
    }
    #expect(reports[5]["active"]?.integer == 1)
    #expect(reports[5]["sky"]?.array?.last?.className == "SKY")
    #expect(reports[5]["gst"]?.array?.count == 1)
    #expect(reports[5]["att"]?.array?.isEmpty == true)
    #expect(reports[5]["time"]?.string == "2026-10-14T10:11:12.000Z")
  }

  @Test("wrong requests are errors, switch nothing on and harm nothing after them")
  func wrong() {
    var harness = HubHarness()
    harness.connect(1)
    _ = harness.received(1)
    harness.say(1, #"?WATCH={"enable":tru};"# + "\n")
    var reports = harness.reports(1)
    #expect(reports.map(\.className) == ["ERROR", "DEVICES", "WATCH"])
    #expect(reports[2]["enable"]?.bool == false)
    harness.say(1, "?FOO;\n")
    reports = harness.reports(1)
    #expect(reports.map(\.className) == ["ERROR"])
    #expect(reports[0]["message"]?.string == "Unrecognized request '?FOO;'")
    harness.say(1, "garbage\n")
    #expect(harness.received(1).isEmpty)
    harness.say(1, #"?WATCH={"enable":true,"json":true}"# + "\n")
    reports = harness.reports(1)
    #expect(reports.map(\.className) == ["DEVICES", "WATCH"])
    #expect(reports[1]["enable"]?.bool == true)
    #expect(reports[1]["json"]?.bool == true)
    #expect(harness.orders == [.beginSession(.init(1), device: nil)])
  }

  @Test("several requests in one line, cut anywhere, are answered in order")
  func cut() {
    var harness = HubHarness()
    harness.connect(1)
    for piece in ["?DEV", "ICES;?WA", #"TCH={"enable":true,"#, #""json":true};"# + "\r\n?VERSION;"]
    {
      harness.say(1, piece)
    }
    #expect(
      harness.reports(1).map(\.className) == ["VERSION", "DEVICES", "DEVICES", "WATCH", "VERSION"])
  }

  @Test("quotes in a device's name stay within their string")
  func quotes() {
    var harness = HubHarness.withDevice()
    harness.connect(1)
    _ = harness.received(1)
    harness.say(1, #"?WATCH={"device":"a\"\u000a\\"};?DEVICE={"path":"\"}"}"#)
    #expect(
      harness.received(1) == [
        #"{"class":"ERROR","message":"No such device as a\"\n\\"}"# + "\r\n",
        #"{"class":"ERROR","message":"No such device as \"}"}"# + "\r\n",
      ])
  }

  @Test("a client that came before any receiver learns of its coming and going")
  func devices() {
    var harness = HubHarness()
    harness.connect(1)
    harness.say(1, Self.watch)
    #expect(harness.received(1)[1] == #"{"class":"DEVICES","devices":[]}"# + "\r\n")
    harness.wait(.seconds(5))
    harness.addDevice()
    #expect(
      harness.received(1) == [
        #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2026-10-14T10:11:17.000Z"}"#
          + "\r\n"
      ])
    harness.epoch(harness.fixed)
    #expect(harness.reports(1).map(\.mode) == [3])
    harness.run(harness.hub.removed(path: HubHarness.path))
    #expect(
      harness.received(1) == [
        #"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"# + "\r\n",
        #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"# + "\r\n",
      ])
    #expect(harness.orders == [.beginSession(.init(1), device: nil)])
  }

  @Test("what is known of a receiver is told when it changes, and only then")
  func identified() {
    var harness = HubHarness.withDevice()
    harness.connect(1)
    harness.say(1, Self.watch)
    _ = harness.received(1)
    var device = GPSDDevice(path: HubHarness.path, activated: harness.now.utc)
    (device.driver, device.subtype, device.isBinary) = ("u-blox", "SW ROM 3.01", true)
    (device.speed, device.cycle, device.serialNumber) = (9600, .milliseconds(200), "AB12")
    harness.run(harness.hub.changed(device))
    harness.run(harness.hub.changed(device))
    #expect(
      harness.received(1) == [
        #"{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","sernum":"AB12","#
          + #""subtype":"SW ROM 3.01","activated":"2026-10-14T10:11:12.000Z","flags":1,"#
          + #""native":1,"bps":9600,"parity":"N","stopbits":1,"cycle":0.20}"# + "\r\n"
      ])
  }

  @Test("where a speed is told a cycle is, one second while it is not known")
  func cycle() {
    var harness = HubHarness.withDevice()
    harness.connect(1)
    var device = GPSDDevice(path: HubHarness.path, activated: harness.now.utc)
    (device.driver, device.speed) = ("NMEA0183", 9600)
    harness.run(harness.hub.changed(device))
    harness.say(1, "?DEVICES;")
    #expect(harness.reports(1).last?["devices"]?.array?.first?["cycle"]?.number == 1)
    for _ in 0..<3 {
      harness.wait(.milliseconds(200))
      harness.epoch(harness.fixed)
    }
    harness.say(1, "?DEVICES;")
    #expect(harness.reports(1).last?["devices"]?.array?.first?["cycle"]?.number == 0.2)
  }

  @Test("one device alone can be watched, by a name that outlives its node")
  func oneDevice() {
    var harness = HubHarness()
    harness.addDevice("/dev/ttyACM0", aliases: ["usb-1.2"])
    harness.addDevice("/dev/ttyUSB0")
    harness.connect(1)
    harness.say(1, #"?WATCH={"json":true,"device":"usb-1.2"}"#)
    _ = harness.received(1)
    harness.epoch(harness.fixed, from: "/dev/ttyUSB0")
    #expect(harness.received(1).isEmpty)
    harness.run(harness.hub.removed(path: "/dev/ttyACM0"))
    #expect(harness.reports(1).last?["activated"]?.integer == 0)
    harness.addDevice("/dev/ttyACM1", aliases: ["usb-1.2"])
    harness.epoch(harness.fixed, from: "/dev/ttyACM1")
    #expect(harness.reports(1).map(\.className) == ["DEVICE", "TPV"])
    #expect(harness.orders == [.beginSession(.init(1), device: "usb-1.2")])
  }

  @Test("flags that are left out stay, or fall back")
  func flags() {
    var harness = HubHarness()
    harness.connect(1)
    harness.say(1, #"?WATCH={"json":true,"nmea":true,"raw":2,"pps":true,"scaled":true}"#)
    harness.say(1, #"?WATCH={"nmea":false}"#)
    #expect(
      harness.received(1).last
        == #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":2,"scaled":false,"#
        + #""timing":false,"split24":false,"pps":false}"# + "\r\n")
    harness.say(1, #"?WATCH={"enable":false}"#)
    #expect(harness.reports(1).last?["enable"]?.bool == false)
    #expect(
      harness.orders == [.beginSession(.init(1), device: nil), .endSession(.init(1))])
  }

  @Test("a watcher that vanishes ends its session; one that never watched has none")
  func sessions() {
    var harness = HubHarness()
    harness.connect(1)
    harness.connect(2)
    harness.say(1, Self.watch)
    harness.say(1, Self.watch)
    for id: UInt32 in [1, 2, 1] { harness.run(harness.hub.disconnected(.init(id))) }
    harness.say(1, Self.watch)
    #expect(
      harness.orders == [.beginSession(.init(1), device: nil), .endSession(.init(1))])
    #expect(harness.hub.clientCount == 0)
  }

  @Test("only those who may write to a receiver")
  func writing() {
    var harness = HubHarness.withDevice()
    harness.connect(1)
    harness.connect(2, .init(access: .full, mayWrite: true))
    _ = (harness.received(1), harness.received(2))
    let request = #"?DEVICE={"hexdata":"b5620a040000"}"#
    harness.say(1, request)
    #expect(harness.reports(1).map(\.className) == ["ERROR"])
    #expect(harness.orders.isEmpty)
    harness.say(2, request)
    #expect(harness.reports(2).map(\.className) == ["ACK", "DEVICE"])
    #expect(
      harness.orders == [.write(path: HubHarness.path, [0xb5, 0x62, 0x0a, 0x04, 0, 0])])
    harness.say(2, #"?DEVICE={"bps":115200}"#)
    #expect(harness.reports(2).map(\.className) == ["ERROR"])
    harness.addDevice("/dev/ttyUSB0")
    harness.say(2, request + "?DEVICE;")
    #expect(harness.reports(2).map(\.className) == ["ERROR", "DEVICE", "DEVICE"])
  }

  @Test("when all places are taken, one who does not watch makes room")
  func full() {
    var harness = HubHarness()
    let last = UInt32(GPSDHub.clientCountMax)
    for id in 1...last { harness.connect(id) }
    for id in 2...last { harness.say(id, Self.watch) }
    harness.orders = []
    harness.connect(last + 1)
    #expect(harness.orders == [.close(.init(1))])
    harness.say(last + 1, Self.watch)
    harness.orders = []
    harness.connect(last + 2)
    #expect(harness.orders == [.close(.init(last + 2))])
    #expect(harness.hub.clientCount == GPSDHub.clientCountMax)
  }
}

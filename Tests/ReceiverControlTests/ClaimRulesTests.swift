import Bytes
import Testing

@testable import ReceiverControl

@Suite("Claim rules") struct ClaimRulesTests {
  static func bridge(serial: String?, portNumber: Int = 0) -> PortDescription {
    PortDescription(
      name: "ttyUSB0",
      transport: .usb(
        PortDescription.USBFunction(
          vendorID: 0x10c4, productID: 0xea60, serial: serial, portNumber: portNumber,
          place: "pci-0000:00:14.0-usb-0:3:1.0")), driver: "cp210x")
  }

  static let uart = PortDescription(
    name: "ttyAMA0", transport: .uart, driver: "uart-pl011", platformDevice: "fe201000.serial")

  // The syntax is udev(7)'s; the keys are those that 60-serial.rules sets.
  static let cases: [(port: PortDescription, match: String)] = [
    (
      bridge(serial: "A50285BI"),
      #"ENV{ID_VENDOR_ID}=="10c4", ENV{ID_MODEL_ID}=="ea60", "#
        + #"ENV{ID_SERIAL_SHORT}=="A50285BI", ENV{ID_USB_INTERFACE_NUM}=="00""#
    ),
    // Every CP2102 says 0001: only the socket tells it from others.
    (bridge(serial: "0001"), #"ENV{ID_PATH}=="pci-0000:00:14.0-usb-0:3:1.0""#),
    (bridge(serial: nil, portNumber: 2), #"ENV{.ID_PORT}=="2""#),
    (uart, #"SUBSYSTEM=="tty", KERNELS=="fe201000.serial", ENV{BINNACLE_CLAIM}="1""#),
    (
      PortDescription(name: "ttyS1", transport: .uart, driver: "serial8250"),
      #"SUBSYSTEM=="tty", KERNEL=="ttyS1", "#
    ),
    // What a device calls itself must not end the string.
    (bridge(serial: #"A"1, RUN+="x"#), #"ENV{ID_SERIAL_SHORT}=="A?1??RUN+=?x""#),
  ]

  @Test("the rule matches the port by what it is known by", arguments: cases)
  func match(port: PortDescription, match: String) throws {
    var rules = ClaimRules(nil)
    rules.set(port, isClaimed: true, note: "test")
    #expect(try #require(rules.text).holds(match))
  }

  @Test("claiming twice changes nothing; releasing leaves no file")
  func idempotent() {
    var rules = ClaimRules(nil)
    rules.set(Self.uart, isClaimed: true, note: "heard it")
    let once = rules.text
    rules.set(Self.uart, isClaimed: true, note: "heard it again")
    #expect(rules.text == once)
    rules.remove(Self.uart)
    #expect(rules.text == nil)
    rules.remove(Self.uart)
    #expect(rules.text == nil)
  }

  @Test("one port's rule is changed and taken out without touching the others")
  func others() throws {
    let foreign = "SUBSYSTEM==\"tty\", KERNEL==\"ttyS9\", ENV{BINNACLE_CLAIM}=\"1\"\n"
    var rules = ClaimRules(foreign)
    rules.set(Self.uart, isClaimed: true, note: "")
    rules.set(Self.bridge(serial: "A50285BI"), isClaimed: true, note: "")
    rules.set(Self.uart, isClaimed: false, note: "left alone")
    let text = try #require(rules.text)
    #expect(text.hasPrefix(foreign))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("SUBSYSTEM") } == 3)
    #expect(text.holds(#"KERNELS=="fe201000.serial", ENV{BINNACLE_CLAIM}="0""#))
    rules.remove(Self.uart)
    rules.remove(Self.bridge(serial: "A50285BI"))
    #expect(rules.text == foreign)
  }

  @Test("a released port is left alone, also if it is a receiver's")
  func released() {
    var port = PortDescription(
      name: "ttyACM0",
      transport: .usb(
        PortDescription.USBFunction(vendorID: 0x1546, productID: 0x01a8, place: "usb-0:1:1.0")))
    #expect(ClaimPolicy().verdict(on: port).isUsed)
    port.isReleasedByRule = true
    #expect(ClaimPolicy().verdict(on: port) == .ignored(.releasedByRule))
  }
}

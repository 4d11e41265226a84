import Testing

@testable import ReceiverControl

@Suite("Port identity") struct PortIdentityTests {
  static func usb(
    name: String = "ttyACM0", serial: String?, interface: Int = 0, port: Int = 0,
    place: String = "pci-0000:00:14.0-usb-0:1:1.0"
  ) -> PortDescription {
    PortDescription(
      name: name,
      transport: .usb(
        .init(
          vendorID: 0x1546, productID: 0x1a9, serial: serial, interfaceNumber: interface,
          portNumber: port, place: place)))
  }

  static let cases: [(port: PortDescription, identity: String)] = [
    (usb(serial: "D30A4B2F"), "1546:01a9-D30A4B2F.00"),
    (usb(serial: "D30A4B2F", interface: 10, port: 2), "1546:01a9-D30A4B2F.0a-port2"),
    (usb(serial: nil), "1546:01a9@pci-0000:00:14.0-usb-0:1:1.0"),
    (usb(serial: nil, port: 1), "1546:01a9@pci-0000:00:14.0-usb-0:1:1.0-port1"),
    (usb(serial: "0001"), "1546:01a9@pci-0000:00:14.0-usb-0:1:1.0"),
    (usb(serial: "../../etc/passwd"), "1546:01a9-.._.._etc_passwd.00"),
    (usb(serial: "a b\u{0}\nü€"), "1546:01a9-a_b_______.00"),
    (PortDescription(name: "ttyS0", transport: .uart), "uart@ttyS0"),
    (
      PortDescription(name: "ttyS0", transport: .uart, platformDevice: "serial8250"), "uart@ttyS0"
    ),
    (
      PortDescription(name: "ttyAMA0", transport: .uart, platformDevice: "fe201000.serial"),
      "uart@fe201000.serial"
    ),
    (
      PortDescription(name: "gnss0", transport: .kernelGNSS, platformDevice: "fe201000.serial"),
      "gnss@fe201000.serial"
    ),
    (PortDescription(name: "rfcomm0", transport: .bluetooth), "bluetooth@rfcomm0"),
  ]

  @Test("names what is plugged in, in characters fit for a link", arguments: cases)
  func names(port: PortDescription, identity: String) {
    #expect(port.identity == identity)
    #expect(port.stableNode == "/dev/gnss/" + identity)
  }

  @Test("stays when the kernel numbers anew, and with a serial number in any socket")
  func lasting() {
    let before = Self.usb(serial: "D30A4B2F")
    let after = Self.usb(name: "ttyACM3", serial: "D30A4B2F", place: "platform-xhci-usb-0:2:1.0")
    #expect(before.identity == after.identity)
    #expect(Self.usb(serial: nil).identity == Self.usb(name: "ttyACM3", serial: nil).identity)
  }

  @Test("two devices with one serial number differ by their place")
  func twins() {
    let first = Self.usb(serial: "A50285BI")
    let second = Self.usb(serial: "A50285BI", place: "pci-0000:00:14.0-usb-0:2:1.0")
    #expect(first.identity == second.identity)
    #expect(first.placeIdentity != second.placeIdentity)
  }

  @Test("is no longer than a file name may be")
  func bounded() {
    let endless = String(repeating: "x", count: 100_000)
    #expect(Self.usb(serial: endless).identity.utf8.count < 255)
    #expect(Self.usb(serial: nil, place: endless).identity.utf8.count < 255)
  }
}

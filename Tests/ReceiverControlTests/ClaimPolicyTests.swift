import Testing

@testable import ReceiverControl

/// A USB port as its driver names it.
private func usb(
  _ vendor: UInt16, _ product: UInt16, driver: String = "cdc_acm", interface: Int = 0,
  first: Int = 0, serial: String? = nil
) -> PortDescription {
  PortDescription(
    name: driver == "cdc_acm" ? "ttyACM0" : "ttyUSB0",
    transport: .usb(
      .init(
        vendorID: vendor, productID: product, serial: serial, interfaceNumber: interface,
        firstSerialInterface: first, place: "pci-0000:00:14.0-usb-0:1:1.\(interface)")),
    driver: driver)
}

@Suite("Claim policy") struct ClaimPolicyTests {
  fileprivate static let devices: [(port: PortDescription, verdict: ClaimPolicy.Verdict)] = [
    // Native receivers, whatever their driver.
    (usb(0x1546, 0x01a7), .used(.receiver(name: "u-blox 7"))),
    (usb(0x1546, 0x01a8), .used(.receiver(name: "u-blox 8"))),
    (usb(0x1546, 0x01a9), .used(.receiver(name: "u-blox 9"))),
    (usb(0x1546, 0x01ab), .used(.receiver(name: "u-blox X20"))),
    (usb(0x1546, 0x0502, driver: "ftdi_sio"), .used(.receiver(name: "u-blox C099-F9P"))),
    (usb(0x0e8d, 0x3329), .used(.receiver(name: "MediaTek MT3329"))),
    (usb(0x1163, 0x0200, driver: "cypress_m8"), .used(.receiver(name: "DeLorme Earthmate LT-40"))),
    (usb(0x067b, 0xaaa0, driver: "pl2303"), .used(.receiver(name: "Microsoft PS-360"))),
    // Boards with several interfaces.
    (
      usb(0x1546, 0x01a8, interface: 2, first: 0),
      .ignored(.otherInterface(of: "u-blox 8", interface: 0))
    ),
    (usb(0x1546, 0x01ab, interface: 2, first: 2), .used(.receiver(name: "u-blox X20"))),
    (
      usb(0x1546, 0x0506, driver: "ftdi_sio", interface: 2),
      .used(.receiver(name: "u-blox EVK-M101"))
    ),
    (
      usb(0x1546, 0x0506, driver: "ftdi_sio", interface: 0),
      .ignored(.otherInterface(of: "u-blox EVK-M101", interface: 2))
    ),
    // u-blox, but no receiver.
    (
      usb(0x1546, 0x0503, driver: "ftdi_sio"),
      .ignored(.notReceiver(name: "the C099-F9P's ODIN-W2 radio"))
    ),
    (usb(0x1546, 0x1102), .ignored(.notReceiver(name: "a u-blox cellular modem"))),
    (usb(0x1546, 0x11ff), .ignored(.notReceiver(name: "a u-blox cellular modem"))),
    (usb(0x1546, 0x050d, driver: "generic"), .claimable(.unknownUSB)),
    // Bridges: a receiver or anything else.
    (usb(0x067b, 0x2303, driver: "pl2303"), .claimable(.bridge(vendor: "Prolific"))),
    (usb(0x0403, 0x6001, driver: "ftdi_sio"), .claimable(.bridge(vendor: "FTDI"))),
    (usb(0x10c4, 0xea60, driver: "cp210x"), .claimable(.bridge(vendor: "Silicon Labs"))),
    (usb(0x1a86, 0x7523, driver: "ch341-uart"), .claimable(.bridge(vendor: "WCH"))),
    (usb(0x1a86, 0x55d3), .claimable(.bridge(vendor: "WCH"))),
    (usb(0x0557, 0x2008, driver: "pl2303"), .claimable(.bridge(vendor: "ATEN"))),
    (usb(0x9710, 0x7840, driver: "mos7840"), .claimable(.bridge(vendor: "mos7840"))),
    // Microcontrollers.
    (usb(0x303a, 0x1001), .claimable(.microcontroller(vendor: "Espressif"))),
    (usb(0x1915, 0x521f), .claimable(.microcontroller(vendor: "Nordic"))),
    (usb(0x2e8a, 0x000a), .claimable(.microcontroller(vendor: "Raspberry Pi"))),
    (usb(0x2341, 0x0043), .claimable(.microcontroller(vendor: "Arduino"))),
    (usb(0x0483, 0x5740), .claimable(.microcontroller(vendor: "STMicroelectronics"))),
    // Modems, by vendor or by driver.
    (usb(0x2c7c, 0x0125, driver: "option1"), .claimable(.modem(vendor: "Quectel"))),
    (usb(0x1bc7, 0x0036), .claimable(.modem(vendor: "Telit"))),
    (usb(0x05c6, 0x9091, driver: "qcserial"), .claimable(.modem(vendor: "cellular"))),
    (usb(0x1234, 0x5678), .claimable(.unknownUSB)),
  ]

  @Test("USB devices", arguments: devices)
  func verdicts(port: PortDescription, verdict: ClaimPolicy.Verdict) {
    #expect(ClaimPolicy().verdict(on: port) == verdict)
  }

  static let others: [(port: PortDescription, verdict: ClaimPolicy.Verdict)] = [
    (PortDescription(name: "ttyAMA0", transport: .uart), .claimable(.uart)),
    (PortDescription(name: "gnss0", transport: .kernelGNSS), .used(.kernelGNSS)),
    (PortDescription(name: "rfcomm0", transport: .bluetooth), .claimable(.bluetooth)),
    (
      PortDescription(name: "ttyS0", transport: .uart, systemUse: .kernelConsole),
      .ignored(.kernelConsole)
    ),
    (
      PortDescription(name: "ttyAMA0", transport: .uart, systemUse: .login),
      .ignored(.login(portName: "ttyAMA0"))
    ),
  ]

  @Test("ports that are not USB", arguments: others)
  func otherPorts(port: PortDescription, verdict: ClaimPolicy.Verdict) {
    #expect(ClaimPolicy().verdict(on: port) == verdict)
  }

  @Test(
    "a claim names the node, a link, the identity or the stable node",
    arguments: [
      "/dev/ttyUSB0", "/dev/serial/by-id/usb-bridge", "10c4:ea60@pci-0000:00:14.0-usb-0:1:1.0",
      "/dev/gnss/10c4:ea60@pci-0000:00:14.0-usb-0:1:1.0",
    ])
  func claimed(claim: String) {
    var port = usb(0x10c4, 0xea60, driver: "cp210x", serial: "0001")
    port.links = ["/dev/serial/by-id/usb-bridge"]
    #expect(ClaimPolicy(claims: [claim]).verdict(on: port) == .used(.claimedByConfiguration))
    #expect(!ClaimPolicy(claims: [claim + "1"]).verdict(on: port).isUsed)
  }

  @Test("a release leaves a receiver alone, and outdoes a claim")
  func released() {
    var port = usb(0x1546, 0x01a8)
    port.isClaimedByRule = true
    let policy = ClaimPolicy(claims: ["/dev/ttyACM0"], releases: [port.identity])
    #expect(policy.verdict(on: port) == .ignored(.released))
  }

  @Test("a udev rule claims any port that is not refused")
  func rules() {
    for (port, verdict) in Self.devices + Self.others {
      var claimed = port
      claimed.isClaimedByRule = true
      let isRefused = port.systemUse != nil || verdict.reason.hasSuffix(", not a receiver")
      #expect(
        ClaimPolicy().verdict(on: claimed) == (isRefused ? verdict : .used(.claimedByRule)))
    }
  }

  @Test("every verdict says why in one line")
  func reasons() {
    for (_, verdict) in Self.devices + Self.others {
      #expect(verdict.reason.count > 10)
      #expect(!verdict.reason.contains("\n"))
    }
  }

  @Test(
    "only a line has a speed",
    arguments: [
      (usb(0x1546, 0x01a8), false), (usb(0x1546, 0x0502, driver: "ftdi_sio"), true),
      (usb(0x1a86, 0x55d3), true), (usb(0x10c4, 0xea60, driver: "cp210x"), true),
      (PortDescription(name: "ttyAMA0", transport: .uart), true),
      (PortDescription(name: "gnss0", transport: .kernelGNSS), false),
      (PortDescription(name: "rfcomm0", transport: .bluetooth), false),
    ])
  func lineSpeed(port: PortDescription, hasLineSpeed: Bool) {
    #expect(port.hasLineSpeed == hasLineSpeed)
  }
}

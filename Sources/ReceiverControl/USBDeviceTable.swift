/// Which USB ids are GNSS receivers, and which merely look as if one could be behind them.
///
/// The receivers stand in `udev/60-binnacle.hwdb` too, which a test compares with this table.
/// Source: the ids that vendors' descriptors and the kernel's drivers carry. A generic bridge or a
/// microcontroller is never listed as a receiver, whatever may be sold with it.
package enum USBDeviceTable {
  /// A device that is a receiver whoever sells it.
  package struct Receiver: Equatable, Sendable {
    package let vendorID: UInt16
    package let productID: UInt16
    package let name: String
    /// The interface that the receiver talks on; `nil` for the first of its serial ports.
    package var interface: Int? = nil
  }

  package static let receivers: [Receiver] = [
    Receiver(vendorID: 0x1546, productID: 0x01a4, name: "u-blox 4"),
    Receiver(vendorID: 0x1546, productID: 0x01a5, name: "u-blox 5"),
    Receiver(vendorID: 0x1546, productID: 0x01a6, name: "u-blox 6"),
    Receiver(vendorID: 0x1546, productID: 0x01a7, name: "u-blox 7"),
    Receiver(vendorID: 0x1546, productID: 0x01a8, name: "u-blox 8"),
    Receiver(vendorID: 0x1546, productID: 0x01a9, name: "u-blox 9"),
    Receiver(vendorID: 0x1546, productID: 0x01ab, name: "u-blox X20"),
    // An FT231X of its own for the ZED-F9P; the board's radio has another.
    Receiver(vendorID: 0x1546, productID: 0x0502, name: "u-blox C099-F9P"),
    // Four channels of an FT4232H: I2C, SPI, UART, GPIO.
    Receiver(vendorID: 0x1546, productID: 0x0506, name: "u-blox EVK-M101", interface: 2),
    Receiver(vendorID: 0x0e8d, productID: 0x3329, name: "MediaTek MT3329"),
    Receiver(vendorID: 0x1163, productID: 0x0100, name: "DeLorme Earthmate"),
    Receiver(vendorID: 0x1163, productID: 0x0200, name: "DeLorme Earthmate LT-40"),
    Receiver(vendorID: 0x067b, productID: 0xaaa0, name: "Microsoft PS-360"),
  ]

  package static func receiver(_ function: PortDescription.USBFunction) -> Receiver? {
    receivers.first {
      $0.vendorID == function.vendorID && $0.productID == function.productID
    }
  }

  /// A device that is not a receiver, and not to be opened even if it is claimed.
  struct Refused: Sendable {
    let vendorID: UInt16
    let productIDs: ClosedRange<UInt16>
    let name: String
  }

  static let refused: [Refused] = [
    Refused(vendorID: 0x1546, productIDs: 0x0503...0x0503, name: "the C099-F9P's ODIN-W2 radio"),
    Refused(vendorID: 0x1546, productIDs: 0x1100...0x11ff, name: "a u-blox cellular modem"),
  ]

  /// What a port with an id of this vendor usually is.
  enum Kind: Sendable {
    case bridge, microcontroller, modem
  }

  struct Vendor: Sendable {
    let vendorID: UInt16
    let name: String
    let kind: Kind
  }

  /// Told by vendor: of those whose devices come with the generic driver `cdc_acm`, which says
  /// nothing of the device.
  static let vendors: [Vendor] = [
    Vendor(vendorID: 0x0403, name: "FTDI", kind: .bridge),
    Vendor(vendorID: 0x04e2, name: "MaxLinear", kind: .bridge),
    Vendor(vendorID: 0x0557, name: "ATEN", kind: .bridge),
    Vendor(vendorID: 0x067b, name: "Prolific", kind: .bridge),
    Vendor(vendorID: 0x10c4, name: "Silicon Labs", kind: .bridge),
    Vendor(vendorID: 0x1a86, name: "WCH", kind: .bridge),
    Vendor(vendorID: 0x0483, name: "STMicroelectronics", kind: .microcontroller),
    Vendor(vendorID: 0x04d8, name: "Microchip", kind: .microcontroller),
    Vendor(vendorID: 0x1209, name: "pid.codes", kind: .microcontroller),
    Vendor(vendorID: 0x16c0, name: "Van Ooijen (Teensy and others)", kind: .microcontroller),
    Vendor(vendorID: 0x1915, name: "Nordic", kind: .microcontroller),
    Vendor(vendorID: 0x1b4f, name: "SparkFun", kind: .microcontroller),
    Vendor(vendorID: 0x1d50, name: "OpenMoko", kind: .microcontroller),
    Vendor(vendorID: 0x2341, name: "Arduino", kind: .microcontroller),
    Vendor(vendorID: 0x239a, name: "Adafruit", kind: .microcontroller),
    Vendor(vendorID: 0x2a03, name: "Arduino", kind: .microcontroller),
    Vendor(vendorID: 0x2e8a, name: "Raspberry Pi", kind: .microcontroller),
    Vendor(vendorID: 0x303a, name: "Espressif", kind: .microcontroller),
    Vendor(vendorID: 0x1199, name: "Sierra Wireless", kind: .modem),
    Vendor(vendorID: 0x12d1, name: "Huawei", kind: .modem),
    Vendor(vendorID: 0x19d2, name: "ZTE", kind: .modem),
    Vendor(vendorID: 0x1bc7, name: "Telit", kind: .modem),
    Vendor(vendorID: 0x1e0e, name: "SIMCom", kind: .modem),
    Vendor(vendorID: 0x2c7c, name: "Quectel", kind: .modem),
  ]

  /// The kernel's drivers of cellular modems.
  static let modemDrivers: Set<String> = ["option1", "qcserial", "sierra"]
  /// Its drivers that are generic, so that they do not say what the device is.
  static let genericDrivers: Set<String> = ["cdc_acm", "generic"]
}

extension USBDeviceTable {
  /// The name of the receiver with these ids; `nil` where it is none.
  package static func name(_ vendorID: UInt16, _ productID: UInt16) -> String? {
    receivers.first { $0.vendorID == vendorID && $0.productID == productID }?.name
  }
}

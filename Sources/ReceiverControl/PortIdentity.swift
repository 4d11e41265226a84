/// A name for what is plugged in that outlives replugging, rebooting and the kernel's numbering.
extension PortDescription {
  /// Serial numbers shorter than this are placeholders: every CP2102 says `0001`.
  package static let serialLengthMin = 6
  /// Longer parts of an identity are cut: the name of a link in /dev has at most 255 bytes.
  package static let identityPartLengthMax = 100

  /// The name of the link below `/dev/gnss/` that `udev/70-binnacle.rules` makes, and the
  /// receiver's name in the log and the configuration.
  ///
  /// A USB device with a serial number keeps its identity in any socket
  /// (`1546:01a9-D30A4B2F.00`, with the interface's number); one without is known by the socket
  /// (`1546:01a8@pci-0000:00:14.0-usb-0:1:1.0`), and a UART by its place on the board
  /// (`uart@fe201000.serial`).
  package var identity: String {
    guard case .usb(let function) = transport, let serial = Self.distinctive(function.serial) else {
      return placeIdentity
    }
    return Self.hex(function.vendorID) + ":" + Self.hex(function.productID) + "-" + serial + "."
      + Self.hex(function.interfaceNumber) + Self.suffix(ofPort: function.portNumber)
  }

  /// The identity by the place alone, for the second of two ports whose `identity` is the same:
  /// counterfeit bridges share one serial number.
  package var placeIdentity: String {
    switch transport {
    case .usb(let function):
      Self.hex(function.vendorID) + ":" + Self.hex(function.productID) + "@"
        + Self.safe(function.place) + Self.suffix(ofPort: function.portNumber)
    case .uart: "uart@" + place
    case .kernelGNSS: "gnss@" + place
    case .bluetooth: "bluetooth@" + place
    }
  }

  /// The link that the udev rules make for a receiver.
  package var stableNode: String { "/dev/gnss/" + identity }

  /// The address of a UART in the device tree. Elsewhere the kernel's name has to do: a PC numbers
  /// its UARTs always in the same way, and what else stands above them (a PCI bridge of the board)
  /// several may share.
  private var place: String {
    guard let platformDevice, platformDevice.hasSuffix(".serial") else { return Self.safe(name) }
    return Self.safe(platformDevice)
  }

  private static func distinctive(_ serial: String?) -> String? {
    guard let serial, serial.utf8.count >= serialLengthMin else { return nil }
    return safe(serial)
  }

  private static func suffix(ofPort number: Int) -> String { number > 0 ? "-port\(number)" : "" }

  private static func hex(_ id: UInt16) -> String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func hex(_ interfaceNumber: Int) -> String {
    let digits = String(interfaceNumber, radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }

  /// Whatever the device calls itself, the result is a plain file name: udev's set of characters
  /// for links (`utf8_encoded_valid_unichar` aside), and `_` for others.
  private static func safe(_ text: String) -> String {
    let bytes = text.utf8.prefix(identityPartLengthMax).map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        byte
      default: "#+-.:=@_".utf8.contains(byte) ? byte : UInt8(ascii: "_")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

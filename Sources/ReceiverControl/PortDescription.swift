/// What a serial port is, as far as the system tells without opening it.
package struct PortDescription: Equatable, Sendable {
  /// Where the bytes come from.
  package enum Transport: Equatable, Sendable {
    case usb(USBFunction)
    /// A UART of the board or of a card.
    case uart
    /// The kernel's GNSS class, `/dev/gnss0`: a driver owns the line and the receiver's power.
    case kernelGNSS
    /// Opening one makes a connection.
    case bluetooth
  }

  /// The part of a USB device that the port belongs to.
  package struct USBFunction: Equatable, Sendable {
    package var vendorID: UInt16
    package var productID: UInt16
    /// `iSerial`, as the device gives it.
    package var serial: String?
    /// `iProduct`, as the device gives it.
    package var product: String?
    package var interfaceNumber: Int
    /// The least interface number among the device's serial ports.
    package var firstSerialInterface: Int
    /// Which of several ports behind one interface.
    package var portNumber: Int
    /// Where it is plugged in: udev's `ID_PATH`, or the interface's kernel name (`1-1:1.0`).
    package var place: String

    package init(
      vendorID: UInt16, productID: UInt16, serial: String? = nil, product: String? = nil,
      interfaceNumber: Int = 0, firstSerialInterface: Int? = nil, portNumber: Int = 0,
      place: String
    ) {
      (self.vendorID, self.productID) = (vendorID, productID)
      (self.serial, self.product) = (serial, product)
      self.interfaceNumber = interfaceNumber
      self.firstSerialInterface = firstSerialInterface ?? interfaceNumber
      (self.portNumber, self.place) = (portNumber, place)
    }
  }

  /// What the system itself does with the port.
  package enum SystemUse: Equatable, Sendable {
    /// The kernel writes its messages there.
    case kernelConsole
    /// A login prompt waits there.
    case login
  }

  /// The kernel's name, `ttyACM0`: it changes with the order of plugging in.
  package var name: String
  /// `/dev/ttyACM0`
  package var node: String
  /// udev's links to the node, such as those in /dev/serial/by-id.
  package var links: [String]
  package var transport: Transport
  /// The kernel's driver, such as `cdc_acm`, `ftdi_sio` or `uart-pl011`.
  package var driver: String?
  /// The bus address of an on-board UART, such as `fe201000.serial`.
  package var platformDevice: String?
  package var systemUse: SystemUse?
  /// Whether a udev rule set `BINNACLE_CLAIM=1`.
  package var isClaimedByRule: Bool
  /// Whether one set `BINNACLE_CLAIM=0`.
  package var isReleasedByRule = false

  package init(
    name: String, node: String? = nil, links: [String] = [], transport: Transport,
    driver: String? = nil, platformDevice: String? = nil, systemUse: SystemUse? = nil,
    isClaimedByRule: Bool = false
  ) {
    (self.name, self.node, self.links) = (name, node ?? "/dev/\(name)", links)
    (self.transport, self.driver, self.platformDevice) = (transport, driver, platformDevice)
    (self.systemUse, self.isClaimedByRule) = (systemUse, isClaimedByRule)
  }

  /// Whether the line has a speed that must match the receiver's. A receiver with USB of its own
  /// takes any; a Bluetooth link can lock up when its speed is changed.
  package var hasLineSpeed: Bool {
    switch transport {
    case .uart: true
    case .kernelGNSS, .bluetooth: false
    case .usb(let function): driver != "cdc_acm" || USBDeviceTable.receiver(function) == nil
    }
  }
}

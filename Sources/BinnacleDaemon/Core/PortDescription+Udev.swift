import LinuxIO
import ReceiverControl

extension PortDescription {
  /// The udev subsystems whose devices can be serial ports.
  package static let subsystems = ["tty", "gnss"]

  /// Describes what udev found; `nil` where it is no serial port: the kernel's own terminals, and
  /// UARTs that the driver reserved a name for but did not find.
  package init?(_ device: UdevDevice, systemUse: SystemUse? = nil) {
    guard let node = device.node, device.uartType != "0" else { return nil }
    let transport: Transport
    if device.subsystem == "gnss" {
      transport = .kernelGNSS
    } else if device.name.hasPrefix("rfcomm") {
      transport = .bluetooth
    } else if let usb = device.usb {
      transport = .usb(
        USBFunction(
          vendorID: usb.vendorID, productID: usb.productID,
          // As udev names it in its links; without udev as the device has it.
          serial: device.properties["ID_SERIAL_SHORT"] ?? usb.serial,
          product: usb.product, interfaceNumber: usb.interfaceNumber,
          firstSerialInterface: usb.firstSerialInterface, portNumber: usb.portNumber,
          place: device.properties["ID_PATH"] ?? usb.name))
    } else if device.hasParent {
      transport = .uart
    } else {
      return nil
    }
    self.init(
      name: device.name, node: node,
      links: device.properties["DEVLINKS"]?.split(separator: " ").map(String.init) ?? [],
      transport: transport, driver: device.driver, platformDevice: device.platformDevice,
      systemUse: systemUse, isClaimedByRule: device.properties["BINNACLE_CLAIM"] == "1")
    isReleasedByRule = device.properties["BINNACLE_CLAIM"] == "0"
  }

  /// Describes what udev found, and looks up whether the system itself uses it.
  package static func current(_ device: UdevDevice) -> PortDescription? {
    PortDescription(device, systemUse: systemUse(of: device.name))
  }

  /// What the system itself does on the port of this name, as the kernel has it.
  private static func systemUse(of name: String) -> SystemUse? {
    if SystemConsoles.kernelConsoles().contains(name) { return .kernelConsole }
    return SystemConsoles.hasLogin(name) ? .login : nil
  }

  /// Why a port that the user named is not opened all the same: a console there would be drowned,
  /// and would answer the receiver.
  package static func obstacle(
    on node: String, systemUse: (String) -> SystemUse? = systemUse
  ) -> String? {
    guard let name = (realPath(node) ?? node).split(separator: "/").last.map(String.init),
      let use = systemUse(name)
    else { return nil }
    let port = PortDescription(name: name, node: node, transport: .uart, systemUse: use)
    return "\(node): \(ClaimPolicy().verdict(on: port).reason)"
  }

  /// Every serial port that is there now, in order of the kernel's names.
  package static func all() -> [PortDescription] {
    UdevDevice.all(subsystems: subsystems).compactMap(current)
      .sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
  }
}

extension LineErrors {
  init(_ counts: SerialPort.LineErrors) {
    self.init(frame: counts.frame, overrun: counts.overrun &+ counts.bufferOverrun)
  }
}

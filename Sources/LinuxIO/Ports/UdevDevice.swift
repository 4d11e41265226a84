import CUdev

/// What udev and sysfs say of a device at one instant. A copy: it stays true to that instant.
package struct UdevDevice: Equatable, Sendable {
  /// As below /sys: `/devices/pci0000:00/.../tty/ttyACM0`. The same from `add` to `remove`.
  package let devicePath: String
  /// The kernel's name: `ttyACM0`.
  package let name: String
  /// The node: `/dev/ttyACM0`; `nil` for a device without one.
  package let node: String?
  package let subsystem: String
  /// Everything in udev's database and the event, as `ID_PATH` or `DEVLINKS`.
  package let properties: [String: String]
  /// The driver of the nearest parent that has one: `cdc_acm`, `ftdi_sio`, `serial8250`.
  package let driver: String?
  /// Whether a device lies behind it, as opposed to the kernel's own terminals.
  package let hasParent: Bool
  /// The sysfs attribute `type` of a UART: "0" where the driver reserved a name and found no UART.
  package let uartType: String?
  /// The kernel's name of the platform device that it belongs to, as `fe201000.serial`.
  package let platformDevice: String?
  /// The USB interface it belongs to.
  package let usb: USBInterface?

  package struct USBInterface: Equatable, Sendable {
    package let vendorID: UInt16
    package let productID: UInt16
    /// As the device gives it, not made safe in any way.
    package let serial: String?
    package let product: String?
    /// The interface's kernel name, as `1-1.2:1.0`: bus, ports, configuration and interface.
    package let name: String
    package let interfaceNumber: Int
    /// Which of several ports behind the interface; 0 where there is one.
    package let portNumber: Int
    /// The least interface number of the device's ttys that are there at this instant.
    package let firstSerialInterface: Int
  }
}

extension UdevDevice {
  /// Takes the snapshot; does not keep `device`.
  init?(_ device: OpaquePointer) {
    guard let devicePath = text(udev_device_get_devpath(device)),
      let name = text(udev_device_get_sysname(device)),
      let subsystem = text(udev_device_get_subsystem(device))
    else { return nil }
    self.devicePath = devicePath
    self.name = name
    self.subsystem = subsystem
    node = text(udev_device_get_devnode(device))
    uartType = text(udev_device_get_sysattr_value(device, "type"))
    hasParent = udev_device_get_parent(device) != nil
    driver = Self.driver(above: device)
    platformDevice = udev_device_get_parent_with_subsystem_devtype(device, "platform", nil)
      .flatMap { text(udev_device_get_sysname($0)) }
    usb = USBInterface(of: device)

    var properties: [String: String] = [:]
    var entry = udev_device_get_properties_list_entry(device)
    while let current = entry {
      if let key = text(udev_list_entry_get_name(current)) {
        properties[key] = text(udev_list_entry_get_value(current)) ?? ""
      }
      entry = udev_list_entry_get_next(current)
    }
    self.properties = properties
  }

  private static func driver(above device: OpaquePointer) -> String? {
    // Parents belong to their child: none of them is released here.
    var parent = udev_device_get_parent(device)
    while let current = parent {
      // What Linux 6.5 put between a UART and its driver is no driver.
      let isGeneric = text(udev_device_get_subsystem(current)) == "serial-base"
      if !isGeneric, let driver = text(udev_device_get_driver(current)) { return driver }
      parent = udev_device_get_parent(current)
    }
    return nil
  }
}

extension UdevDevice.USBInterface {
  init?(of device: OpaquePointer) {
    guard
      let usbDevice = udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device"),
      let vendorID = text(udev_device_get_sysattr_value(usbDevice, "idVendor"))
        .flatMap({ UInt16($0, radix: 16) }),
      let productID = text(udev_device_get_sysattr_value(usbDevice, "idProduct"))
        .flatMap({ UInt16($0, radix: 16) }),
      let interface = udev_device_get_parent_with_subsystem_devtype(
        device, "usb", "usb_interface")
    else { return nil }
    self.vendorID = vendorID
    self.productID = productID
    serial = text(udev_device_get_sysattr_value(usbDevice, "serial"))
    product = text(udev_device_get_sysattr_value(usbDevice, "product"))
    name = text(udev_device_get_sysname(interface)) ?? ""
    interfaceNumber = Self.number(of: interface) ?? 0
    portNumber =
      udev_device_get_parent_with_subsystem_devtype(device, "usb-serial", nil)
      .flatMap { text(udev_device_get_sysattr_value($0, "port_number")) }
      .flatMap { Int($0) } ?? 0
    firstSerialInterface = min(
      interfaceNumber, Self.firstSerialInterface(of: usbDevice) ?? interfaceNumber)
  }

  private static func number(of interface: OpaquePointer) -> Int? {
    text(udev_device_get_sysattr_value(interface, "bInterfaceNumber"))
      .flatMap { Int($0, radix: 16) }
  }

  private static func firstSerialInterface(of usbDevice: OpaquePointer) -> Int? {
    guard let udev = udev_device_get_udev(usbDevice), let enumerate = udev_enumerate_new(udev)
    else {
      return nil
    }
    defer { udev_enumerate_unref(enumerate) }
    udev_enumerate_add_match_parent(enumerate, usbDevice)
    udev_enumerate_add_match_subsystem(enumerate, "tty")
    udev_enumerate_scan_devices(enumerate)
    var first: Int?
    var entry = udev_enumerate_get_list_entry(enumerate)
    while let current = entry {
      if let path = udev_list_entry_get_name(current),
        let sibling = udev_device_new_from_syspath(udev, path)
      {
        let interface = udev_device_get_parent_with_subsystem_devtype(
          sibling, "usb", "usb_interface")
        if let number = interface.flatMap(number(of:)) { first = min(first ?? number, number) }
        udev_device_unref(sibling)
      }
      entry = udev_list_entry_get_next(current)
    }
    return first
  }
}

/// A copy of a C string that udev keeps; bytes that are no UTF-8 become U+FFFD.
private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
  pointer.map { String(cString: $0) }
}

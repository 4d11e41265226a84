/// Which ports are opened. A device that cannot be told to be a GNSS receiver is left alone, unless
/// the user claims its port: opening one can restart it, and bytes written to it can do anything.
package struct ClaimPolicy: Equatable, Sendable {
  /// Ports that the user claimed in the configuration: a node, a link to it, or an identity.
  package var claims: Set<String>
  /// Ports to be left alone although known to be receivers', named in the same way.
  package var releases: Set<String>

  package init(claims: Set<String> = [], releases: Set<String> = []) {
    (self.claims, self.releases) = (claims, releases)
  }

  package enum Verdict: Equatable, Sendable {
    /// Opened, and listened and written to.
    case used(Use)
    /// Never opened until the user claims it.
    case claimable(Doubt)
    /// Never opened.
    case ignored(Obstacle)
  }

  package enum Use: Equatable, Sendable {
    case receiver(name: String)
    case kernelGNSS
    case claimedByRule
    case claimedByConfiguration
  }

  package enum Doubt: Equatable, Sendable {
    case bridge(vendor: String)
    case microcontroller(vendor: String)
    case modem(vendor: String)
    case unknownUSB
    case uart
    case bluetooth
  }

  package enum Obstacle: Equatable, Sendable {
    case kernelConsole
    case login(portName: String)
    /// Another interface of a receiver's board; the receiver talks on `interface`.
    case otherInterface(of: String, interface: Int)
    case notReceiver(name: String)
    /// The user wants it left alone.
    case released
    case releasedByRule
  }

  package func verdict(on port: PortDescription) -> Verdict {
    switch port.systemUse {
    case .kernelConsole?: return .ignored(.kernelConsole)
    case .login?: return .ignored(.login(portName: port.name))
    case nil: break
    }
    if case .usb(let function) = port.transport, let name = Self.refusal(of: function) {
      return .ignored(.notReceiver(name: name))
    }
    if Self.names(port, in: releases) { return .ignored(.released) }
    if port.isReleasedByRule { return .ignored(.releasedByRule) }
    if port.isClaimedByRule { return .used(.claimedByRule) }
    if Self.names(port, in: claims) { return .used(.claimedByConfiguration) }
    switch port.transport {
    case .kernelGNSS: return .used(.kernelGNSS)
    case .uart: return .claimable(.uart)
    case .bluetooth: return .claimable(.bluetooth)
    case .usb(let function): return Self.verdict(on: function, driver: port.driver)
    }
  }

  private static func names(_ port: PortDescription, in set: Set<String>) -> Bool {
    guard !set.isEmpty else { return false }
    return ([port.node, port.identity, port.placeIdentity, port.stableNode] + port.links)
      .contains { set.contains($0) }
  }

  private static func refusal(of function: PortDescription.USBFunction) -> String? {
    USBDeviceTable.refused.first {
      $0.vendorID == function.vendorID && $0.productIDs.contains(function.productID)
    }?.name
  }

  private static func verdict(on function: PortDescription.USBFunction, driver: String?) -> Verdict
  {
    if let receiver = USBDeviceTable.receiver(function) {
      let interface = receiver.interface ?? function.firstSerialInterface
      return function.interfaceNumber == interface
        ? .used(.receiver(name: receiver.name))
        : .ignored(.otherInterface(of: receiver.name, interface: interface))
    }
    let vendor = USBDeviceTable.vendors.first { $0.vendorID == function.vendorID }
    if let driver, USBDeviceTable.modemDrivers.contains(driver) {
      return .claimable(.modem(vendor: vendor?.name ?? "cellular"))
    }
    switch vendor?.kind {
    case .bridge?: return .claimable(.bridge(vendor: vendor?.name ?? ""))
    case .microcontroller?: return .claimable(.microcontroller(vendor: vendor?.name ?? ""))
    case .modem?: return .claimable(.modem(vendor: vendor?.name ?? ""))
    case nil: break
    }
    guard let driver, !USBDeviceTable.genericDrivers.contains(driver) else {
      return .claimable(.unknownUSB)
    }
    return .claimable(.bridge(vendor: driver))
  }
}

extension ClaimPolicy.Verdict {
  /// Whether the port may be opened.
  package var isUsed: Bool {
    if case .used = self { true } else { false }
  }

  /// Whether it may be claimed but is hardly a receiver's port.
  package var isUnlikely: Bool {
    switch self {
    case .claimable(.microcontroller), .claimable(.modem): true
    case .used, .claimable, .ignored: false
    }
  }

  /// One word for lists: `used`, `claimable` or `ignored`.
  package var word: String {
    switch self {
    case .used: "used"
    case .claimable: "claimable"
    case .ignored: "ignored"
    }
  }

  /// Why, and what the user can do about it, in one line.
  package var reason: String {
    switch self {
    case .used(.receiver(let name)): "\(name): a GNSS receiver by its USB id"
    case .used(.kernelGNSS): "a GNSS receiver by the kernel's word"
    case .used(.claimedByRule): "claimed by a udev rule"
    case .used(.claimedByConfiguration): "claimed in the configuration"
    case .claimable(.bridge(let vendor)):
      "\(vendor) bridge: anything may be behind it; claim it if a receiver is"
    case .claimable(.microcontroller(let vendor)):
      "\(vendor) board: opening can restart it; claim it if it is a receiver"
    case .claimable(.modem(let vendor)):
      "\(vendor) modem: its receiver, if any, must be switched on by the modem's own commands"
    case .claimable(.unknownUSB): "unknown USB device; claim it if it is a receiver"
    case .claimable(.uart): "UART; claim it if a receiver is wired to it"
    case .claimable(.bluetooth): "Bluetooth: opening connects; claim it if it is a receiver"
    case .ignored(.kernelConsole):
      "the kernel's console is here; remove console=... from the kernel's command line"
    case .ignored(.login(let name)):
      "a login prompt is here; 'sudo systemctl disable --now serial-getty@\(name)' frees it"
    case .ignored(.otherInterface(let name, let interface)):
      "\(name): the receiver talks on interface \(interface)"
    case .ignored(.notReceiver(let name)): "\(name), not a receiver"
    case .ignored(.released): "to be left alone, by the configuration"
    case .ignored(.releasedByRule): "released; 'sudo binnacle claim PORT' takes it back"
    }
  }
}

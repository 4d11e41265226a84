import BinnacleDaemon
import Bytes
import Diagnosis
import LinuxIO
import ReceiverControl

/// What is found of ports, and of the programs and devices around them.
extension Evidence {
  mutating func gatherPorts(
    _ descriptions: [PortDescription], _ properties: [String: [String: String]],
    policy: ClaimPolicy, in tree: FileTree
  ) {
    let groups = Self.groupNames(in: tree)
    let holders = Self.openFiles(in: tree)
    ports = descriptions.map { description in
      var port = Port(description, policy.verdict(on: description))
      if let access = tree.access(to: description.node) {
        port.access = Access(
          group: groups[access.groupID] ?? "\(access.groupID)", groupMayUse: access.groupMayUse)
      }
      let open = holders.filter { $0.target == description.node }.map(\.process)
      port.isHeldByDaemon = open.contains { $0.name == "binnacle" }
      port.holders = open.filter { $0.name != "binnacle" }
      let known = properties[description.node] ?? [:]
      port.isIgnoredByModemManager = ["ID_MM_DEVICE_IGNORE", "ID_MM_PORT_IGNORE"]
        .contains { known[$0] == "1" }
      return port
    }
  }

  /// The names of groups by number: group(5).
  private static func groupNames(in tree: FileTree) -> [UInt32: String] {
    var names: [UInt32: String] = [:]
    for line in (tree.text("/etc/group") ?? "").split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count > 2, let number = UInt32(fields[2]) { names[number] = String(fields[0]) }
    }
    return names
  }

  /// What the programs have open below /dev, and their sockets; of other users' for root alone.
  static func openFiles(in tree: FileTree) -> [(process: Process, target: String)] {
    processes(in: tree).flatMap { process in
      let folder = "/proc/\(process.id)/fd"
      var targets: Set<String> = []
      for name in tree.names(in: folder) {
        guard let target = tree.target(of: "\(folder)/\(name)") else { continue }
        if target.hasPrefix("/dev/tty") || target.hasPrefix("/dev/gnss")
          || target.hasPrefix("/dev/rfcomm") || target.hasPrefix("socket:")
        {
          targets.insert(target)
        }
      }
      return targets.sorted().map { (process, $0) }
    }
  }

  static func processes(in tree: FileTree) -> [Process] {
    tree.names(in: "/proc").compactMap { Int($0) }.sorted().compactMap { id in
      tree.line("/proc/\(id)/comm").map { Process(id: id, name: $0) }
    }
  }

  mutating func gatherUSB(in tree: FileTree) {
    let folder = "/sys/bus/usb/devices"
    let names = tree.names(in: folder)
    usbDevices = names.compactMap { name in
      let place = "\(folder)/\(name)"
      guard !name.utf8.contains(UInt8(ascii: ":")),
        let vendorID = tree.line("\(place)/idVendor").flatMap({ UInt16($0, radix: 16) }),
        let productID = tree.line("\(place)/idProduct").flatMap({ UInt16($0, radix: 16) })
      else { return nil }
      var device = USBDevice(name: name, vendorID: vendorID, productID: productID)
      device.product = tree.line("\(place)/product")
      device.isAuthorized = tree.line("\(place)/authorized") != "0"
      let interfaces = names.filter { $0.hasPrefix("\(name):") }
      device.hasDriver = interfaces.contains { tree.exists("\(folder)/\($0)/driver") }
      device.ports = interfaces.flatMap { interface in
        // cdc_acm has a folder `tty`; bridges have one for each port, as `ttyUSB0`.
        tree.names(in: "\(folder)/\(interface)/tty")
          + tree.names(in: "\(folder)/\(interface)").filter { $0.hasPrefix("ttyUSB") }
      }
      return device
    }
  }
}

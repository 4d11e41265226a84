import Bytes
import ReceiverControl

/// Who may open the ports, and who has them open.
extension Check {
  static let permissions = Check(
    name: "permissions", question: "May the daemon open the port?"
  ) { evidence in
    guard evidence.installation.hasUnit else { return [] }
    guard evidence.accounts.hasUser else {
      return [
        Finding(
          "permissions", .fault, "there is no user 'binnacle' for the service",
          cure: "sudo systemd-sysusers")
      ]
    }
    return evidence.usedPorts.flatMap { port -> [Finding] in
      guard let access = port.access else { return [] }
      guard access.groupMayUse else {
        return [
          Finding(
            "permissions", .fault,
            "\(port.node): its group \(access.group) may not read and write",
            cure: "look for the udev rule that sets its mode: udevadm test $(udevadm info -q path "
              + "\(port.node))")
        ]
      }
      // The unit gives the service this one besides the user's own.
      let groups = evidence.accounts.groups.union(["dialout", "binnacle"])
      guard !groups.contains(access.group) else { return [] }
      return [
        Finding(
          "permissions", .fault,
          "\(port.node): belongs to the group \(access.group), which 'binnacle' is not in",
          cure: "sudo adduser binnacle \(access.group); sudo systemctl restart binnacle")
      ]
    }
  }

  static let holder = Check(
    name: "holder", question: "Has another program the port open?"
  ) { evidence in
    evidence.usedPorts.flatMap { holder(of: $0) }
  }

  /// How to make programs that are known to do so let go.
  private static let releases: [(name: String, cure: String)] = [
    ("gpsd", "sudo systemctl disable --now gpsd.socket gpsd.service"),
    ("ModemManager", "sudo systemctl disable --now ModemManager"),
    ("chronyd", "remove the reference clock that reads the port from /etc/chrony/chrony.conf"),
    ("brltty", "sudo apt remove brltty"),
    ("agetty", "sudo systemctl disable --now 'serial-getty@*.service'"),
  ]

  static func holder(of port: Evidence.Port) -> [Finding] {
    port.holders.filter { $0.name != "hciattach" && $0.name != "btattach" }.map { process in
      Finding(
        "holder", .fault, "\(port.node): \(process.name) (process \(process.id)) has it open",
        cure: releases.first { $0.name == process.name }?.cure ?? "sudo kill \(process.id)")
    }
  }

  static let modemManager = Check(
    name: "modemmanager", question: "Will ModemManager send AT commands to the receiver?"
  ) { evidence in
    guard evidence.process("ModemManager") != nil else { return [] }
    return evidence.usedPorts.compactMap { modemManager(on: $0) }
  }

  static func modemManager(on port: Evidence.Port) -> Finding? {
    guard case .usb = port.description.transport, !port.isIgnoredByModemManager else { return nil }
    let isKnown = if case .used(.receiver) = port.verdict { true } else { false }
    return Finding(
      "modemmanager", .warning, "\(port.node): ModemManager runs and may probe it",
      cure: isKnown
        ? "sudo systemd-hwdb --usr update; sudo udevadm trigger"
        : "sudo binnacle claim \(port.node)")
  }

  static let denied = Check(
    name: "denied", question: "Does a security module stop the daemon?"
  ) { evidence in
    let denial = evidence.kernelMessages?.last {
      $0.holds("apparmor=\"DENIED\"") && $0.holds("binnacle")
    }
    guard let denial else { return [] }
    return [
      Finding(
        "denied", .fault, "kernel: \(denial)",
        cure: "allow it in /etc/apparmor.d/, then sudo systemctl reload apparmor")
    ]
  }
}

import Bytes
import ReceiverControl

/// What was found on a machine. Gathered once; the checks read nothing else.
package struct Evidence: Sendable {
  package var board = Board()
  /// Lines of the kernel's log, oldest first; `nil` where it may not be read.
  package var kernelMessages: [String]?
  package var usbDevices: [USBDevice] = []
  package var ports: [Port] = []
  package var processes: [Process] = []
  package var accounts = Accounts()
  package var installation = Installation()
  package var storage = Storage()
  package var clock = Clock()
  /// TCP ports that somebody listens at.
  package var listeners: [Listener] = []
  /// Whether the kernel has IPv6.
  package var hasIPv6 = true
  /// Where the configuration wants gpsd's clients served; empty for nowhere.
  package var gpsdAddresses: [String] = []
  package var gpsdPort: UInt16 = 2947
  /// What the daemon says of itself; `nil` where it could not be asked.
  package var daemon: DaemonState?

  package init() {}

  /// The computer and how it was told to boot.
  package struct Board: Sendable {
    /// The device tree's name of it, as `Raspberry Pi 4 Model B Rev 1.4`.
    package var model: String?
    /// The firmware's bits of power and heat: `get_throttled` of the Raspberry Pi.
    package var throttled: UInt32?
    /// The kernel's alarm of low voltage, `in0_lcrit_alarm` of `rpi_volt`.
    package var isUndervolted = false
    /// The lines of config.txt that are no comments; `nil` where there is none.
    package var bootConfiguration: [String]?
    package var bootConfigurationPath = "/boot/firmware/config.txt"
    /// The kernel's command line at the next boot; `nil` where the board has no such file.
    package var nextCommandLine: String?
    package var commandLinePath = "/boot/firmware/cmdline.txt"
    /// Where /dev/serial0 leads, as `ttyS0`.
    package var serial0: String?
    /// The UART that Bluetooth's chip hangs on, as `fe201000.serial`.
    package var bluetoothUART: String?

    package init() {}
    var isRaspberryPi: Bool { model?.holds("Raspberry Pi") ?? false }
  }

  package struct USBDevice: Sendable {
    /// Bus and ports, as `1-1.2`.
    package var name: String
    package var vendorID: UInt16
    package var productID: UInt16
    package var product: String?
    package var isAuthorized = true
    /// Whether one of its interfaces has a driver.
    package var hasDriver = true
    /// The serial ports that its drivers made.
    package var ports: [String] = []

    package init(name: String, vendorID: UInt16, productID: UInt16) {
      (self.name, self.vendorID, self.productID) = (name, vendorID, productID)
    }
  }

  package struct Port: Sendable {
    package var description: PortDescription
    package var verdict: ClaimPolicy.Verdict
    /// The group of the node and whether it may read and write; `nil` where there is no node.
    package var access: Access?
    /// Programs other than the daemon that have it open.
    package var holders: [Process] = []
    /// Whether the daemon has it open.
    package var isHeldByDaemon = false
    /// Whether ModemManager was told to leave it alone.
    package var isIgnoredByModemManager = false
    /// What listening to it told; `nil` where nobody listened.
    package var heard: Heard?

    package init(_ description: PortDescription, _ verdict: ClaimPolicy.Verdict) {
      (self.description, self.verdict) = (description, verdict)
    }
    package var node: String { description.node }
  }

  package struct Access: Equatable, Sendable {
    package var group: String
    package var groupMayUse: Bool
    package init(group: String, groupMayUse: Bool) {
      (self.group, self.groupMayUse) = (group, groupMayUse)
    }
  }

  package struct Process: Equatable, Sendable {
    package var id: Int
    /// The first 15 characters of its name, as the kernel keeps them.
    package var name: String
    package init(id: Int, name: String) { (self.id, self.name) = (id, name) }
  }

  package struct Accounts: Sendable {
    package var hasUser = true
    /// The groups that the user `binnacle` is a member of.
    package var groups: Set<String> = []
    package init() {}
  }

  package struct Listener: Equatable, Sendable {
    package var port: UInt16
    package var isIPv6: Bool
    /// `nil` where it may not be known.
    package var process: String?
    package init(port: UInt16, isIPv6: Bool, process: String?) {
      (self.port, self.isIPv6, self.process) = (port, isIPv6, process)
    }
  }

  package func process(_ name: String) -> Process? { processes.first { $0.name == name } }

  /// The ports that the daemon is to use.
  package var usedPorts: [Port] { ports.filter(\.verdict.isUsed) }
}

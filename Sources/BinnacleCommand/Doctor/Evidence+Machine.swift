import BinnacleDaemon
import Bytes
import Diagnosis
import LinuxIO
import ReceiverControl

extension Evidence {
  /// Gathers what the machine's files say.
  /// - Parameters:
  ///   - ports: As udev lists them.
  ///   - properties: udev's of each port, by node.
  init(
    tree: FileTree, configurationPath: String, ports: [PortDescription],
    properties: [String: [String: String]]
  ) {
    self.init()
    let configuration = gatherConfiguration(configurationPath, in: tree)
    gatherBoard(in: tree)
    kernelMessages = tree.kernelMessages()
    processes = Self.processes(in: tree)
    gatherUSB(in: tree)
    gatherPorts(ports, properties, policy: ClaimPolicy(configuration.receivers), in: tree)
    gatherInstallation(in: tree)
    gatherListeners(in: tree)
    gatherStorage(configuration.log, in: tree)
    gatherClock(configuration.time, in: tree)
  }

  /// Where it is wrong, the defaults hold for the other checks.
  private mutating func gatherConfiguration(_ path: String, in tree: FileTree) -> Configuration {
    var configuration = Configuration()
    if let text = tree.text(path) {
      do throws(ConfigurationError) {
        configuration = try Configuration(text, path: path)
      } catch {
        installation.configurationError = error.message
      }
    }
    let own = configuration.gpsd.addresses.lazy.compactMap(\.port).first
    gpsdPort = own ?? configuration.gpsd.port
    gpsdAddresses = configuration.gpsd.isEnabled ? configuration.gpsd.listen : []
    return configuration
  }

  private mutating func gatherBoard(in tree: FileTree) {
    board.model = tree.line("/proc/device-tree/model")
    board.throttled = tree.line("/sys/devices/platform/soc/soc:firmware/get_throttled")
      .flatMap { UInt32($0, radix: 16) }
    board.isUndervolted = tree.names(in: "/sys/class/hwmon").contains { name in
      tree.line("/sys/class/hwmon/\(name)/name") == "rpi_volt"
        && tree.line("/sys/class/hwmon/\(name)/in0_lcrit_alarm") == "1"
    }
    // Where Raspberry Pi OS has them since 2023, and before.
    for folder in ["/boot/firmware", "/boot"] {
      guard board.bootConfiguration == nil, let text = tree.text("\(folder)/config.txt") else {
        continue
      }
      board.bootConfigurationPath = "\(folder)/config.txt"
      board.commandLinePath = "\(folder)/cmdline.txt"
      board.bootConfiguration = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .map { String($0.prefix { $0 != "#" && $0 != " " }) }
      board.nextCommandLine = tree.text("\(folder)/cmdline.txt")
    }
    board.serial0 = tree.target(of: "/dev/serial0")
    // A UART whose far end the kernel itself drives, as `serial0-0` with the driver hci_uart_bcm.
    let folder = "/sys/bus/serial/devices"
    board.bluetoothUART = tree.names(in: folder).first { name in
      tree.target(of: "\(folder)/\(name)/driver")?.holds("hci_uart") ?? false
    }
  }

  /// Where packages and the administrator put units.
  private static let unitFolders = [
    "/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
  ]

  private mutating func gatherInstallation(in tree: FileTree) {
    installation.hasRules = ["/etc", "/usr/lib", "/lib"].contains {
      tree.exists("\($0)/udev/rules.d/70-binnacle.rules")
    }
    let unit = Self.unitFolders.map { "\($0)/binnacle.service" }.first(where: tree.exists)
    installation.hasUnit = unit != nil
    installation.isMasked = unit.flatMap(tree.target(of:)) == "/dev/null"
    installation.isGPSDSocketEnabled = tree.exists(
      "/etc/systemd/system/sockets.target.wants/gpsd.socket")
    let group = tree.line("/sys/fs/cgroup/system.slice/binnacle.service/cgroup.procs")
    installation.isRunning = !(group ?? "").isEmpty || daemonProcess(in: tree) != nil
    accounts.hasUser = names(in: "/etc/passwd", tree).contains("binnacle")
    for line in (tree.text("/etc/group") ?? "").split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count > 3 else { continue }
      let isMember = fields[3].split(separator: ",").contains("binnacle")
      if isMember { accounts.groups.insert(String(fields[0])) }
    }
  }

  func daemonProcess(in tree: FileTree) -> Process? {
    processes.first { process in
      guard process.name == "binnacle" else { return false }
      let words = tree.text("/proc/\(process.id)/cmdline")?.utf8.split(separator: 0) ?? []
      return words.count > 1 && String(words[1]) == "run"
    }
  }

  private func names(in path: String, _ tree: FileTree) -> [Substring] {
    (tree.text(path) ?? "").split(separator: "\n").map { $0.prefix { $0 != ":" } }
  }

  /// The state of a socket that listens, in /proc/net/tcp: include/net/tcp_states.h.
  private static let listenState: Substring = "0A"

  private mutating func gatherListeners(in tree: FileTree) {
    hasIPv6 = tree.exists("/proc/net/if_inet6") && !(tree.text("/proc/net/if_inet6") ?? "").isEmpty
    let sockets = Self.openFiles(in: tree).filter { $0.target.hasPrefix("socket:") }
    for (path, isIPv6) in [("/proc/net/tcp", false), ("/proc/net/tcp6", true)] {
      for line in (tree.text(path) ?? "").split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ")
        guard fields.count > 9, fields[3] == Self.listenState,
          let port = fields[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) })
        else { continue }
        let process = sockets.first { $0.target == "socket:[\(fields[9])]" }?.process.name
        listeners.append(Listener(port: port, isIPv6: isIPv6, process: process))
      }
    }
  }
}

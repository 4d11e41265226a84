import BinnacleDaemon
import Diagnosis
import Glibc
import LinuxIO
import ReceiverControl

@testable import BinnacleCommand

/// The files of a machine on which all is well, below a folder of its own, and what a test puts
/// wrong there.
final class StagedMachine {
  let root: String
  var ports: [PortDescription] = [StagedMachine.ublox]
  var properties: [String: [String: String]] = [
    "/dev/ttyACM0": ["ID_MM_DEVICE_IGNORE": "1"]
  ]
  var daemon: Evidence.DaemonState? = StagedMachine.healthyDaemon

  init?() {
    var template = Array("/tmp/binnacle-doctor-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for (path, text) in Self.healthyFiles { write(text, to: path) }
    link("/sys/bus/usb/devices/1-1:1.0/driver", to: "../../../../bus/usb/drivers/cdc_acm")
    chmod(root + "/dev/ttyACM0", 0o660)
    chown(root + "/dev/ttyACM0", 0, 20)
  }

  deinit {
    _ = HelperProgram.run(["rm", "-rf", root])
  }

  /// A Raspberry Pi 4 with a u-blox 8, the package installed and the service running.
  private static let healthyFiles: [(path: String, text: String)] = [
    ("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0"),
    ("/sys/devices/platform/soc/soc:firmware/get_throttled", "0\n"),
    ("/boot/firmware/config.txt", "# the UART\nenable_uart=1\ndtoverlay=disable-bt\n"),
    ("/boot/firmware/cmdline.txt", "console=tty1 root=/dev/mmcblk0p2 rootwait\n"),
    ("/dev/kmsg", "6,500,1200000,-;cdc_acm 1-1:1.0: ttyACM0: USB ACM device\n"),
    ("/dev/ttyACM0", ""),
    ("/sys/bus/usb/devices/1-1/idVendor", "1546\n"),
    ("/sys/bus/usb/devices/1-1/idProduct", "01a8\n"),
    ("/sys/bus/usb/devices/1-1/authorized", "1\n"),
    ("/sys/bus/usb/devices/1-1:1.0/tty/ttyACM0/dev", "166:0\n"),
    ("/etc/passwd", "root:x:0:0::/root:/bin/sh\nbinnacle:x:990:990::/var/lib/binnacle:\n"),
    ("/etc/group", "root:x:0:\ndialout:x:20:binnacle\nplugdev:x:46:\nbinnacle:x:990:\n"),
    ("/usr/lib/udev/rules.d/70-binnacle.rules", ""),
    ("/usr/lib/systemd/system/binnacle.service", ""),
    ("/sys/fs/cgroup/system.slice/binnacle.service/cgroup.procs", "300\n"),
    ("/proc/300/comm", "binnacle\n"), ("/proc/300/cmdline", "/usr/bin/binnacle\0run\0"),
    ("/proc/mounts", "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\ntmpfs /run tmpfs rw 0 0\n"),
    ("/proc/net/tcp", tcpHeader + tcpLine(port: "0B83", inode: 4711)),
    ("/proc/net/if_inet6", "00000000000000000000000000000001 01 80 10 80       lo\n"),
    ("/sys/class/rtc/rtc0/name", "rtc-ds1307\n"),
  ]

  static let tcpHeader = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when\n"

  /// A socket that listens (state 0A), as in proc_net_tcp of the kernel's documentation.
  static func tcpLine(port: String, inode: Int) -> String {
    "   0: 0100007F:\(port) 00000000:0000 0A 00000000:00000000 00:00000000 00000000   990"
      + "        0 \(inode) 1 0000000000000000 100 0 0 10 0\n"
  }

  static let ublox = PortDescription(
    name: "ttyACM0",
    transport: .usb(
      PortDescription.USBFunction(
        vendorID: 0x1546, productID: 0x01a8, product: "u-blox GNSS receiver",
        place: "platform-fd500000.pcie-usb-0:1.1:1.0")), driver: "cdc_acm")

  static let bridge = PortDescription(
    name: "ttyUSB0",
    transport: .usb(
      PortDescription.USBFunction(
        vendorID: 0x1a86, productID: 0x7523, place: "platform-fd500000.pcie-usb-0:1.2:1.0")),
    driver: "ch341-uart")

  static let arduino = PortDescription(
    name: "ttyACM1",
    transport: .usb(
      PortDescription.USBFunction(
        vendorID: 0x2341, productID: 0x0043, place: "platform-fd500000.pcie-usb-0:1.3:1.0")),
    driver: "cdc_acm")

  static func uart(_ name: String, use: PortDescription.SystemUse? = nil) -> PortDescription {
    PortDescription(
      name: name, transport: .uart, driver: "uart-pl011", platformDevice: "fe201000.serial",
      systemUse: use, isClaimedByRule: true)
  }

  static let healthyDaemon: Evidence.DaemonState = {
    var receiver = Evidence.ReceiverState()
    receiver.identity = "1546:01a8@1.1"
    (receiver.name, receiver.firmware) = ("u-blox M8", "SPG 3.01")
    (receiver.byteCount, receiver.messageCount, receiver.openSeconds) = (90_000, 900, 600)
    (receiver.hasFix, receiver.satelliteCount, receiver.strongestSignal) = (true, 11, 46)
    var daemon = Evidence.DaemonState()
    (daemon.receivers, daemon.clientCount) = ([receiver], 1)
    return daemon
  }()

  // MARK: Changing it

  func write(_ text: String, to path: String) {
    let folder = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    let tree = FileTree(root: root)
    try? tree.makeFolder(folder)
    try? tree.write(text, to: path)
  }

  func remove(_ path: String) { _ = HelperProgram.run(["rm", "-rf", root + path]) }

  func link(_ path: String, to target: String) {
    write("", to: path)
    unlink(root + path)
    symlink(target, root + path)
  }

  /// Lets a program run that has `target` open.
  func run(_ name: String, id: Int = 42, holding target: String? = nil) {
    write(name + "\n", to: "/proc/\(id)/comm")
    if let target { link("/proc/\(id)/fd/5", to: target) }
  }

  func kernelSays(_ message: String) {
    write("6,500,1200000,-;boot\n3,501,1300000,-;\(message)\n", to: "/dev/kmsg")
  }

  /// Lets the receiver's state differ from the healthy one.
  func receiver(_ change: (inout Evidence.ReceiverState) -> Void) {
    guard var state = daemon?.receivers.first else { return }
    change(&state)
    daemon?.receivers = [state]
  }

  /// Puts the only port under a name of a UART, as claimed.
  func hasUART(_ name: String, use: PortDescription.SystemUse? = nil) {
    ports = [Self.uart(name, use: use)]
    write("", to: "/dev/\(name)")
    chmod(root + "/dev/\(name)", 0o660)
    chown(root + "/dev/\(name)", 0, 20)
  }

  func stopDaemon() {
    remove("/sys/fs/cgroup/system.slice/binnacle.service")
    remove("/proc/300")
    write(Self.tcpHeader, to: "/proc/net/tcp")
    daemon = nil
  }

  func hear(_ change: (inout Evidence.Heard) -> Void) {
    var heard = Evidence.Heard()
    heard.seconds = 6
    change(&heard)
    self.heard = heard
    stopDaemon()
  }

  private var heard: Evidence.Heard?

  // MARK: Examining it

  var evidence: Evidence {
    var evidence = Evidence(
      tree: FileTree(root: root), configurationPath: Configuration.defaultPath, ports: ports,
      properties: properties)
    evidence.daemon = daemon
    // The folder's own file system is none of the staged machine's business.
    if let freeByteCount { evidence.storage.freeByteCount = freeByteCount }
    if let heard, !evidence.ports.isEmpty { evidence.ports[0].heard = heard }
    return evidence
  }

  var freeByteCount: Int? = 20 << 30
}

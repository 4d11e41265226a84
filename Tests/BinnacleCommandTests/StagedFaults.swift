import Diagnosis
import Glibc
import ReceiverControl

/// What can be wrong in the field, staged on a machine where all else is well.
struct StagedFault: Sendable {
  let what: String
  /// The check that must name it.
  let check: String
  let verdict: Finding.Verdict
  /// What must stand in the cure.
  let cure: String
  let stage: @Sendable (StagedMachine) -> Void

  init(
    _ what: String, _ check: String, _ verdict: Finding.Verdict = .fault, cure: String,
    stage: @escaping @Sendable (StagedMachine) -> Void
  ) {
    (self.what, self.check, self.verdict, self.cure) = (what, check, verdict, cure)
    self.stage = stage
  }

  static let all = power + ports + system + receiver

  static let power: [StagedFault] = [
    StagedFault("low supply voltage", "power", cure: "power supply") {
      $0.write("50005\n", to: "/sys/devices/platform/soc/soc:firmware/get_throttled")
    },
    StagedFault("low voltage some time since the boot", "power", .warning, cure: "power supply") {
      $0.write("50000\n", to: "/sys/devices/platform/soc/soc:firmware/get_throttled")
    },
    StagedFault("the kernel's low-voltage alarm", "power", cure: "power supply") {
      $0.write("rpi_volt\n", to: "/sys/class/hwmon/hwmon0/name")
      $0.write("1\n", to: "/sys/class/hwmon/hwmon0/in0_lcrit_alarm")
    },
    StagedFault("a broken cable: enumeration fails", "usb-errors", cure: "another cable") {
      $0.kernelSays("usb 1-1: device descriptor read/64, error -71")
    },
    StagedFault("too much current on USB", "usb-errors", cure: "powered hub") {
      $0.kernelSays("usb usb1-port1: over-current condition")
    },
    StagedFault("a loose plug", "usb-errors", .warning, cure: "loose plug") { machine in
      let lines = (0..<6).map { "6,\($0),1,-;usb 1-1: USB disconnect, device number \($0)\n" }
      machine.write(lines.joined(), to: "/dev/kmsg")
    },
    StagedFault("a receiver without its kernel driver", "usb-driver", cure: "modprobe cdc_acm") {
      $0.remove("/sys/bus/usb/devices/1-1:1.0")
      $0.ports = []
    },
    StagedFault("a receiver that USB does not authorise", "usb-driver", cure: "authorized") {
      $0.write("0\n", to: "/sys/bus/usb/devices/1-1/authorized")
    },
    StagedFault("brltty takes the CH340 bridge", "brltty", cure: "remove brltty") {
      $0.write("1a86\n", to: "/sys/bus/usb/devices/1-2/idVendor")
      $0.write("7523\n", to: "/sys/bus/usb/devices/1-2/idProduct")
      $0.kernelSays("usb 1-2: usbfs: interface 0 claimed by ch341 while 'brltty' sets config #1")
    },
  ]

  static let ports: [StagedFault] = [
    StagedFault("nothing plugged in", "ports", cure: "plug the receiver in") {
      $0.ports = []
      $0.remove("/sys/bus/usb/devices/1-1")
    },
    StagedFault("a receiver behind a bridge, not claimed", "ports", cure: "claim /dev/ttyUSB0") {
      $0.ports = [StagedMachine.arduino, StagedMachine.bridge]
    },
    StagedFault("a receiver that was released", "ports", cure: "claim /dev/ttyACM0") {
      $0.ports[0].isReleasedByRule = true
    },
    StagedFault("a UART that is not switched on", "uart", cure: "enable_uart=1") {
      $0.ports = []
      $0.remove("/sys/bus/usb/devices/1-1")
      $0.write("dtparam=audio=on\n", to: "/boot/firmware/config.txt")
    },
    StagedFault("the kernel's console on the UART", "console", cure: "cmdline.txt") {
      $0.hasUART("ttyAMA0", use: .kernelConsole)
    },
    StagedFault("a login prompt on the UART", "console", cure: "serial-getty@ttyAMA0") {
      $0.hasUART("ttyAMA0", use: .login)
    },
    StagedFault("a console on the UART from the next boot on", "console", cure: "console=serial0") {
      $0.hasUART("ttyAMA0")
      $0.link("/dev/serial0", to: "ttyAMA0")
      $0.write("console=serial0,115200 console=tty1\n", to: "/boot/firmware/cmdline.txt")
    },
    StagedFault("Bluetooth's program on the UART", "bluetooth", cure: "disable-bt") {
      $0.hasUART("ttyAMA0")
      $0.run("hciattach", holding: "/dev/ttyAMA0")
    },
    StagedFault(
      "the mini-UART, as Bluetooth has the good one", "bluetooth", .warning, cure: "disable-bt"
    ) {
      $0.hasUART("ttyS0")
      $0.link("/sys/bus/serial/devices/serial0-0/driver", to: "../../drivers/hci_uart_bcm")
    },
    StagedFault("the node belongs to another group", "permissions", cure: "adduser binnacle") {
      chown($0.root + "/dev/ttyACM0", 0, 46)
    },
    StagedFault("the node is closed to its group", "permissions", cure: "udevadm test") {
      chmod($0.root + "/dev/ttyACM0", 0o600)
    },
    StagedFault("no user for the service", "permissions", cure: "systemd-sysusers") {
      $0.write("root:x:0:0::/root:/bin/sh\n", to: "/etc/passwd")
    },
    StagedFault("gpsd has the port open", "holder", cure: "disable --now gpsd.socket") {
      $0.run("gpsd", holding: "/dev/ttyACM0")
    },
    StagedFault("a terminal program has the port open", "holder", cure: "kill 42") {
      $0.run("minicom", holding: "/dev/ttyACM0")
    },
    StagedFault("ModemManager has the port open", "holder", cure: "disable --now ModemManager") {
      $0.run("ModemManager", holding: "/dev/ttyACM0")
    },
    StagedFault("ModemManager may probe the port", "modemmanager", .warning, cure: "hwdb") {
      $0.run("ModemManager")
      $0.properties = [:]
    },
  ]

  static let system: [StagedFault] = [
    StagedFault("the udev rules are missing", "rules", cure: "reinstall") {
      $0.remove("/usr/lib/udev/rules.d/70-binnacle.rules")
    },
    StagedFault("a wrong value in the configuration", "configuration", cure: "run --check") {
      $0.write("[log]\nsize = huge\n", to: "/etc/binnacle/binnacle.conf")
    },
    StagedFault("the service is masked", "service", cure: "unmask") {
      $0.stopDaemon()
      $0.link("/etc/systemd/system/binnacle.service", to: "/dev/null")
    },
    StagedFault("the service is not installed", "service", cure: "reinstall") {
      $0.stopDaemon()
      $0.remove("/usr/lib/systemd/system/binnacle.service")
    },
    StagedFault("the service does not run", "service", cure: "systemctl restart") {
      $0.stopDaemon()
    },
    StagedFault("AppArmor stops the daemon", "denied", cure: "apparmor") {
      $0.kernelSays(
        "audit: type=1400 apparmor=\"DENIED\" operation=\"open\" profile=\"binnacle\" "
          + "name=\"/dev/ttyACM0\"")
    },
    StagedFault("the log's file system is read-only", "storage", cure: "remount") {
      $0.write("/dev/mmcblk0p2 / ext4 ro,noatime 0 0\n", to: "/proc/mounts")
    },
    StagedFault("no room for the log", "storage", cure: "make room") { $0.freeByteCount = 1 << 20 },
    StagedFault("the log lies in memory", "storage", .warning, cure: "set file in [log]") {
      $0.write("overlay / overlay rw 0 0\n", to: "/proc/mounts")
    },
    StagedFault("the card fails", "medium", cure: "replace the card") {
      $0.kernelSays("I/O error, dev mmcblk0, sector 123456 op 0x1:(WRITE)")
    },
    StagedFault("the log is no log", "ring", cure: "log-check") {
      $0.write(String(repeating: "x", count: 70_000), to: "/var/lib/binnacle/fixes.ring")
    },
    StagedFault("chronyd has no socket for us", "clock", cure: "refclock SOCK") {
      $0.write("[time]\nchrony = /run/chrony.gnss.sock\n", to: "/etc/binnacle/binnacle.conf")
    },
    StagedFault("a clock that the service may not set", "clock", .warning, cure: "clock.conf") {
      $0.write("[time]\nset-clock = once\n", to: "/etc/binnacle/binnacle.conf")
      $0.write("Name:\tbinnacle\nCapEff:\t0000000000000000\n", to: "/proc/300/status")
    },
    StagedFault("gpsd listens at its port", "gpsd-port", cure: "disable --now gpsd.socket") {
      $0.run("gpsd", holding: "socket:[4711]")
    },
    StagedFault("IPv6 alone is to be served, and is off", "gpsd-port", cure: "127.0.0.1") {
      $0.write("[gpsd]\nlisten = [::1]\n", to: "/etc/binnacle/binnacle.conf")
      $0.remove("/proc/net/if_inet6")
    },
    StagedFault("a client that the policy refuses", "clients", .note, cure: "user guest allow") {
      $0.daemon?.refusedClients = ["user guest"]
    },
    StagedFault("location is switched off", "policy", cure: "policy on") {
      $0.daemon?.isLocationOff = true
    },
  ]

  static let receiver: [StagedFault] = [
    StagedFault("no bytes at all: RX and TX crossed", "bytes", cure: "TX goes to") { machine in
      machine.hear { _ in }
    },
    StagedFault("a speed that nobody tries", "bytes", cure: "set baud") { machine in
      machine.hear { ($0.byteCount, $0.frameErrorCount) = (900, 300) }
    },
    StagedFault("something that is no receiver", "bytes", cure: "release") { machine in
      machine.hear { $0.byteCount = 900 }
    },
    StagedFault("a UART that loses bytes", "bytes", .warning, cure: "lower the") { machine in
      machine.receiver { $0.overrunCount = 12 }
    },
    StagedFault("a noisy line", "bytes", .warning, cure: "shorten the cable") { machine in
      machine.receiver { $0.frameErrorCount = 5000 }
    },
    StagedFault("no antenna, by the receiver's word", "antenna", cure: "screw") { machine in
      machine.receiver { ($0.hasFix, $0.antenna) = (false, .open) }
    },
    StagedFault("a short circuit in the antenna", "antenna", cure: "replace") { machine in
      machine.receiver { $0.antenna = .short }
    },
    StagedFault("no antenna: not one satellite", "sky", cure: "its plug") { machine in
      machine.receiver { ($0.hasFix, $0.strongestSignal, $0.satelliteCount) = (false, nil, 0) }
    },
    StagedFault("no sky: weak signals", "sky", cure: "sees the sky") { machine in
      machine.receiver { ($0.hasFix, $0.strongestSignal) = (false, 19) }
    },
    StagedFault("jamming, as by a USB 3 plug", "sky", .warning, cure: "USB 3") { machine in
      machine.receiver { $0.isJammed = true }
    },
    StagedFault("a receiver that tells no date", "date", .warning, cure: "RMC or ZDA") { machine in
      machine.receiver { $0.isDated = false }
    },
  ]
}

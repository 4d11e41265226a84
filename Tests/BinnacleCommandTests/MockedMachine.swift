import Glibc

@testable import LinuxIO

/// A machine whose devices are mocked by umockdev: they come, go and talk as a test wants.
final class MockedMachine {
  /// Why there is none here; `nil` where there is.
  static let obstacle: String? = {
    guard let program else { return "no folder for the helper program" }
    let source =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/Fixtures/hotplug.c"
    let build = "cc -O1 '\(source)' -o '\(program)' $(pkg-config --cflags --libs umockdev-1.0)"
    let compiler = ChildProgram(["sh", "-c", "command -v umockdev-wrapper && \(build)"])
    return compiler?.wait() == 0
      ? nil : "umockdev is missing: 'apt install umockdev libumockdev-dev gcc'"
  }()

  private static let program = ChildProgram.folder.map { $0 + "/hotplug-helper" }

  private let helper: ChildProgram
  /// The mocked /dev, /sys and so on.
  let root: String
  private var watches: [String: CInt] = [:]

  init?() {
    guard Self.obstacle == nil, let program = Self.program,
      let helper = ChildProgram(["umockdev-wrapper", program], hasInput: true)
    else { return nil }
    self.helper = helper
    helper.say("root")
    guard let root = helper.nextLine(), root.hasPrefix("/") else { return nil }
    self.root = root
  }

  deinit {
    for watch in watches.values { close(watch) }
    helper.endInput()
    _ = helper.wait()
  }

  private func ask(_ command: String) -> String? {
    helper.say(command)
    return helper.nextLine()
  }

  /// Plugs a device in.
  func add(_ device: MockedDevice) -> Bool {
    let path = root + "/\(device.name).umockdev"
    let text = Array(device.description.utf8)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard write(file, text, text.count) == text.count, close(file) == 0 else { return false }
    return ask("add \(path)") == "ok"
  }

  /// Pulls a device out.
  func remove(_ device: MockedDevice) -> Bool {
    device.paths.allSatisfy { ask("remove /sys\($0)") == "ok" }
  }

  func send(_ line: String, from device: MockedDevice) -> Bool {
    ask("send /dev/\(device.name) \(line)") == "ok"
  }

  /// The number of bytes that were written to the device.
  func receivedByteCount(_ device: MockedDevice) -> Int? {
    ask("received /dev/\(device.name)").flatMap { Int($0) }
  }

  /// From now on counts how often the device's node is opened, by whatever program.
  func watchOpening(of device: MockedDevice) -> Bool {
    let watch = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
    watches[device.name] = watch
    return realPath(root + "/dev/\(device.name)")
      .map { inotify_add_watch(watch, $0, UInt32(IN_OPEN)) >= 0 } ?? false
  }

  /// Every event of one watch on a file is 16 bytes: inotify(7).
  func openCount(of device: MockedDevice) -> Int? {
    guard let watch = watches[device.name] else { return nil }
    var events = [UInt8](repeating: 0, count: 16 * 256)
    return max(0, read(watch, &events, events.count)) / 16
  }

  /// Starts `binnacle` on this machine.
  func binnacle(_ arguments: [String]) -> ChildProgram? {
    ChildProgram(
      binnacle: arguments,
      variables: ["LD_PRELOAD=libumockdev-preload.so.0", "UMOCKDEV_DIR=\(root)"])
  }
}

/// A USB serial device, as the kernel and Debian's udev rules show it.
struct MockedDevice {
  let name: String
  let vendor: String
  let product: String
  let driver: String
  /// Which socket of the root hub it is plugged into.
  var socket = 1
  var serial: String?

  private var usbPath: String { "/devices/pci0000:00/0000:00:14.0/usb1/1-\(socket)" }
  private var interfacePath: String { usbPath + "/1-\(socket):1.0" }

  private var isBridge: Bool { name.hasPrefix("ttyUSB") }

  /// Bridges have one level more: the port of the interface.
  private var portPath: String { interfacePath + (isBridge ? "/\(name)" : "") }
  private var path: String { portPath + "/tty/\(name)" }

  /// Its parts in sysfs, in the order in which they go.
  var paths: [String] { [path] + (isBridge ? [portPath] : []) + [interfacePath, usbPath] }

  var description: String {
    let driverLink = "../../../../../../bus/usb/drivers/\(driver)"
    var lines = [
      "P: \(usbPath)",
      "E: DEVTYPE=usb_device", "E: SUBSYSTEM=usb", "E: PRODUCT=\(vendor)/\(product)/100",
      "A: idVendor=\(vendor)", "A: idProduct=\(product)", "A: product=Test device",
    ]
    if let serial { lines.append("A: serial=\(serial)") }
    lines += [
      "", "P: \(interfacePath)", "E: DEVTYPE=usb_interface", "E: SUBSYSTEM=usb",
      "A: bInterfaceNumber=00",
    ]
    if isBridge {
      lines += [
        "L: driver=../../../../../../bus/usb/drivers/usb-serial", "",
        "P: \(portPath)", "E: SUBSYSTEM=usb-serial", "A: port_number=0",
        "L: driver=../../../../../../../bus/usb-serial/drivers/\(driver)",
      ]
    } else {
      lines.append("L: driver=\(driverLink)")
    }
    lines += [
      "", "P: \(path)", "N: \(name)", "E: DEVNAME=/dev/\(name)", "E: SUBSYSTEM=tty",
      "E: MAJOR=\(isBridge ? 188 : 166)", "E: MINOR=0", "E: ID_BUS=usb",
      "E: ID_PATH=pci-0000:00:14.0-usb-0:\(socket):1.0", "E: ID_USB_INTERFACE_NUM=00",
    ]
    if let serial { lines.append("E: ID_SERIAL_SHORT=\(serial)") }
    return lines.joined(separator: "\n") + "\n"
  }
}

import GPIOFake
import Glibc
import Testing

@testable import LinuxIO

@Suite("GPIO line") struct GPIOLineTests {
  /// A simulated chip of the kernel's (Documentation/admin-guide/gpio/gpio-sim.rst), gone with it;
  /// where the kernel has none, or we may not make one, one that answers the same requests.
  final class SimulatedChip {
    private static let root = "/sys/kernel/config/gpio-sim"
    private let path = "\(SimulatedChip.root)/binnacle-test"
    private var fake: CInt?
    private var lines = ""
    let node: String

    init() throws {
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        let chip = gpio_fake_chip()
        try #require(chip >= 0)
        (fake, node) = (chip, "/proc/self/fd/\(chip)")
        return
      }
      mkdir(path + "/bank0", 0o755)
      Self.write("8", to: path + "/bank0/num_lines")
      Self.write("1", to: path + "/live")
      let device = try #require(smallFile(path + "/dev_name")?.trimmingSpace)
      let chip = try #require(smallFile(path + "/bank0/chip_name")?.trimmingSpace)
      node = "/dev/" + chip
      lines = "/sys/devices/platform/\(device)/\(chip)/sim_gpio"
    }

    deinit {
      if let fake {
        close(fake)
      } else {
        Self.write("0", to: path + "/live")
        rmdir(path + "/bank0")
        rmdir(path)
      }
    }

    /// 0 or 1.
    func level(_ line: UInt32) -> CInt? {
      if let fake { return gpio_fake_level(fake, line) }
      return smallFile("\(lines)\(line)/value")?.trimmingSpace == "1" ? 1 : 0
    }

    private static func write(_ text: String, to path: String) {
      let descriptor = open(path, O_WRONLY)
      guard descriptor >= 0 else { return }
      _ = text.withCString { Glibc.write(descriptor, $0, strlen($0)) }
      close(descriptor)
    }
  }

  @Test("drives a line of a chip, high and low")
  func drive() throws {
    let chip = try SimulatedChip()
    let line = try GPIOLine(chip: chip.node, line: 3, isActiveLow: false, isOn: true)
    #expect(chip.level(3) == 1)
    try line.set(false)
    #expect(chip.level(3) == 0)
    #expect(try line.isOn() == false)
  }

  @Test("with low meaning on, on is low")
  func activeLow() throws {
    let chip = try SimulatedChip()
    let line = try GPIOLine(chip: chip.node, line: 3, isActiveLow: true, isOn: true)
    #expect(chip.level(3) == 0)
    #expect(try line.isOn())
    try line.set(false)
    #expect(chip.level(3) == 1)
  }

  @Test("two lines of a chip are driven each on its own, and one that is not there is refused")
  func several() throws {
    let chip = try SimulatedChip()
    let first = try GPIOLine(chip: chip.node, line: 0, isActiveLow: false, isOn: false)
    let last = try GPIOLine(chip: chip.node, line: 7, isActiveLow: false, isOn: true)
    try first.set(true)
    try last.set(false)
    #expect(chip.level(0) == 1 && chip.level(7) == 0)
    let missing = try? GPIOLine(chip: chip.node, line: 8, isActiveLow: false, isOn: true)
    #expect(missing == nil)
  }

  @Test("what is no chip is refused", arguments: ["/dev/null", "/dev/gpiochip-none"])
  func refused(path: String) {
    let line = try? GPIOLine(chip: path, line: 0, isActiveLow: false, isOn: false)
    #expect(line == nil)
  }
}

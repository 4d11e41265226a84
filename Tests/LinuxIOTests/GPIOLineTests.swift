import Glibc
import Testing

@testable import LinuxIO

@Suite("GPIO line") struct GPIOLineTests {
  /// A simulated chip of the kernel's (Documentation/admin-guide/gpio/gpio-sim.rst), gone with it.
  final class SimulatedChip {
    private static let root = "/sys/kernel/config/gpio-sim"
    private let path = "\(SimulatedChip.root)/binnacle-test"
    let node: String
    let valuePath: String

    /// `nil` where the kernel has none, or we may not make one.
    init?() {
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else { return nil }
      mkdir(path + "/bank0", 0o755)
      Self.write("8", to: path + "/bank0/num_lines")
      Self.write("1", to: path + "/live")
      guard let device = smallFile(path + "/dev_name")?.trimmingSpace,
        let chip = smallFile(path + "/bank0/chip_name")?.trimmingSpace, chip.hasPrefix("gpiochip")
      else { return nil }
      node = "/dev/" + chip
      valuePath = "/sys/devices/platform/\(device)/\(chip)/sim_gpio3/value"
    }

    deinit {
      Self.write("0", to: path + "/live")
      rmdir(path + "/bank0")
      rmdir(path)
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
    guard let chip = SimulatedChip() else {
      print("skipped: this kernel has no gpio-sim, or we may not use it")
      return
    }
    let line = try GPIOLine(chip: chip.node, line: 3, isActiveLow: false, isOn: true)
    #expect(smallFile(chip.valuePath)?.trimmingSpace == "1")
    try line.set(false)
    #expect(smallFile(chip.valuePath)?.trimmingSpace == "0")
    #expect(try line.isOn() == false)
  }

  @Test("with low meaning on, on is low")
  func activeLow() throws {
    guard let chip = SimulatedChip() else {
      print("skipped: this kernel has no gpio-sim, or we may not use it")
      return
    }
    let line = try GPIOLine(chip: chip.node, line: 3, isActiveLow: true, isOn: true)
    #expect(smallFile(chip.valuePath)?.trimmingSpace == "0")
    #expect(try line.isOn())
  }

  @Test("what is no chip is refused", arguments: ["/dev/null", "/dev/gpiochip-none"])
  func refused(path: String) {
    let line = try? GPIOLine(chip: path, line: 0, isActiveLow: false, isOn: false)
    #expect(line == nil)
  }
}

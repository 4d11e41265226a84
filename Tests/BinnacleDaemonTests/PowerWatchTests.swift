import GNSS
import Glibc
import LinuxIO
import ReceiverControl
import Testing

@testable import BinnacleDaemon

@Suite("Power watch") struct PowerWatchTests {
  /// A tree as /sys/class/power_supply is, gone with it.
  final class Supplies {
    let path: String

    init() throws {
      var template = Array("/tmp/binnacle-power-XXXXXX".utf8CString)
      path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    func set(_ name: String, _ values: [String: String]) {
      mkdir("\(path)/\(name)", 0o755)
      for (key, value) in values {
        let descriptor = open("\(path)/\(name)/\(key)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        _ = (value + "\n").withCString { write(descriptor, $0, strlen($0)) }
        close(descriptor)
      }
    }

    deinit {
      for name in directoryEntries(path) {
        for key in directoryEntries("\(path)/\(name)") { unlink("\(path)/\(name)/\(key)") }
        rmdir("\(path)/\(name)")
      }
      rmdir(path)
    }
  }

  @Test("without batteries it is one that nobody measures, and nothing is looked at again")
  func none() throws {
    let supplies = try Supplies()
    let watch = PowerWatch(Configuration.Power(), directory: supplies.path)
    #expect(watch.supply == .battery)
    #expect(watch.deadline == .never)
  }

  @Test("a battery that runs down, and a charger that comes")
  func battery() throws {
    let supplies = try Supplies()
    supplies.set("AC", ["type": "Mains", "online": "0"])
    supplies.set("BAT0", ["type": "Battery", "capacity": "80", "status": "Discharging"])
    supplies.set("mouse", ["type": "Battery", "capacity": "3", "scope": "Device"])
    var watch = PowerWatch(Configuration.Power(), directory: supplies.path)
    #expect(watch.supply == .battery)
    #expect(watch.look(at: .zero) == nil)
    supplies.set("BAT0", ["capacity": "20"])
    #expect(watch.look(at: watch.deadline) == .low)
    #expect(watch.look(at: watch.deadline) == nil)
    supplies.set("AC", ["online": "1"])
    #expect(watch.look(at: watch.deadline) == .external)
  }

  @Test("what the configuration says holds")
  func configured() throws {
    let configuration = try Configuration("[power]\nsource = external\nlow = 10 %\n", path: "f")
    let watch = PowerWatch(configuration.power, directory: "/nowhere")
    #expect(watch.supply == .external)
    #expect(configuration.power.lowPercent == 10)
  }

  @Test("a receiver's pins are lines of chips")
  func pins() throws {
    let text = """
      [receiver /dev/ttyAMA0]
      enable-gpio = gpiochip0:17
      wake-gpio = gpiochip4:-27
      backup = yes
      configure = no
      """
    let receiver = try #require(try Configuration(text, path: "f").receivers.first)
    #expect(receiver.enableGPIO == GPIOName("gpiochip0:17"))
    #expect(receiver.wakeGPIO?.isActiveLow == true && receiver.wakeGPIO?.line == 27)
    #expect(receiver.hasBackup == true && !receiver.mayConfigure)
    for wrong in ["17", "gpiochip0", "gpiochip0:", "gpiochip0:x", "chip:1", "gpiochip0:99999"] {
      #expect(GPIOName(wrong) == nil)
    }
  }
}

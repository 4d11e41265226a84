import Glibc
import LinuxIO

/// What the figures were taken on.
final class Machine {
  let text: String
  /// The load averages of the last minute, as they were before each group of goals.
  private var samples: [String] = []

  init() {
    var name = utsname()
    uname(&name)
    let kernel = Self.text(of: name.release)
    let architecture = Self.text(of: name.machine)
    let system = Self.value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=")
    let processor = Self.value(of: "model name", in: "/proc/cpuinfo", separator: ":")
    let board = smallFile("/proc/device-tree/model").map { String($0.prefix { $0 != "\0" }) }
    let count = sysconf(CInt(_SC_NPROCESSORS_ONLN))
    text = [
      "\(count) x \(board ?? processor ?? architecture)", system ?? "Linux",
      "Linux \(kernel) \(architecture)",
    ].joined(separator: ", ")
  }

  func noteLoad() {
    guard let text = smallFile("/proc/loadavg")?.split(separator: " ").first else { return }
    samples.append(String(text))
  }

  var loads: String { samples.joined(separator: " ") }

  private static func text<Name>(of name: Name) -> String {
    withUnsafeBytes(of: name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func value(of key: String, in path: String, separator: Character) -> String? {
    for line in (smallFile(path) ?? "").split(separator: "\n") where line.hasPrefix(key) {
      guard let at = line.firstIndex(of: separator) else { continue }
      let value = line[line.index(after: at)...]
      return String(value.drop { $0 == " " || $0 == "\"" }.prefix { $0 != "\"" })
    }
    return nil
  }
}

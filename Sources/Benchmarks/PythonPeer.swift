import Glibc
import LinuxIO

/// Parsers from PyPI. Where they were installed for this alone, `PYTHONPATH` names the folder.
enum PythonPeer: String {
  case pynmeagps, pyubx2

  var isThere: Bool {
    guard ChildProcess.exists("python3"),
      let child = try? ChildProcess(["python3", "-c", "import \(rawValue)"])
    else { return false }
    return child.wait().exitCode == 0
  }

  /// Reads a whole file and does nothing with it.
  func command(reading path: String) -> [String] {
    let reader = self == .pynmeagps ? "NMEAReader" : "UBXReader"
    return [
      "python3", "-c",
      """
      import \(rawValue)
      for raw, parsed in \(rawValue).\(reader)(open('\(path)', 'rb')):
          pass
      """,
    ]
  }
}

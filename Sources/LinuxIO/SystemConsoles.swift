import Glibc

/// The serial ports that the system itself talks on, so that a receiver there would be drowned.
package enum SystemConsoles {
  /// The kernel's names (`ttyS0`) of the consoles that kernel messages go to: proc(5).
  package static func kernelConsoles() -> Set<String> {
    let lines = smallFile("/proc/consoles")?.split(separator: "\n") ?? []
    return Set(lines.compactMap { $0.split(separator: " ").first.map(String.init) })
  }

  /// Whether a login prompt runs on a port, or will at the next boot.
  /// - Parameter name: The kernel's name of the port.
  package static func hasLogin(_ name: String) -> Bool {
    let unit = "serial-getty@\(name).service"
    return [
      // Running now: systemd names the control group after the unit.
      "/sys/fs/cgroup/system.slice/system-serial\\x2dgetty.slice/\(unit)",
      "/etc/systemd/system/getty.target.wants/\(unit)",
      // What systemd-getty-generator(8) makes of the kernel's command line.
      "/run/systemd/generator/getty.target.wants/\(unit)",
    ].contains(where: isThere)
  }

  /// Links count too where they lead nowhere.
  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}

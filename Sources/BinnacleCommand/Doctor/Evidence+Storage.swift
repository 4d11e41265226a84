import BinnacleDaemon
import Bytes
import Diagnosis
import FixLog
import GNSS
import LinuxIO

/// What is found of the log and the clock.
extension Evidence {
  mutating func gatherStorage(_ log: Configuration.Log, in tree: FileTree) {
    storage.path = log.path
    storage.byteCount = log.byteCount
    storage.exists = tree.exists(log.path)
    let folder = Self.existingFolder(above: log.path, in: tree)
    storage.freeByteCount = tree.freeByteCount(at: folder)
    if let mount = Self.mount(of: folder, in: tree) {
      storage.fileSystem = mount.type
      storage.isReadOnly = mount.isReadOnly
    }
    guard storage.exists else { return }
    do throws(CommandError) {
      var query = LogQuery()
      (query.kinds, query.last) = (.fixes, 1)
      let source = try DumpSource(path: tree.place(of: log.path), query: query)
      source.readAll { storage.newestFix = $0.time }
    } catch {
      storage.damage = error.message
    }
  }

  private static func existingFolder(above path: String, in tree: FileTree) -> String {
    var folder = path[...]
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = folder[..<slash]
      if tree.exists(String(folder)) { return String(folder) }
    }
    return "/"
  }

  /// The file system of `path`: the longest mount point above it, the last of equals.
  private static func mount(of path: String, in tree: FileTree) -> (type: String, isReadOnly: Bool)?
  {
    var best: (length: Int, type: String, isReadOnly: Bool)?
    for line in (tree.text("/proc/mounts") ?? "").split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 3 else { continue }
      let point = fields[1]
      guard path == point || path.hasPrefix(point == "/" ? "/" : point + "/"),
        point.utf8.count >= best?.length ?? 0
      else { continue }
      best = (
        point.utf8.count, String(fields[2]), fields[3].split(separator: ",").contains("ro")
      )
    }
    return best.map { ($0.type, $0.isReadOnly) }
  }

  mutating func gatherClock(_ time: Configuration.Time, in tree: FileTree) {
    clock.hasRealTimeClock = tree.names(in: "/sys/class/rtc").contains { $0.hasPrefix("rtc") }
    clock.isSynchronised = tree.isRunningMachine ? Clocks.isSynchronised : false
    clock.isToBeSet = time.setsClock
    clock.mayBeSet = daemonProcess(in: tree).flatMap { Self.maySetClock($0, in: tree) }
    for target in [time.chrony, time.chronyPulse] {
      if case .path(let path) = target {
        clock.chronySockets.append((path, tree.exists(path)))
      }
    }
  }

  /// CAP_SYS_TIME of linux/capability.h, in the effective set of proc_pid_status(5).
  private static let setsClock: UInt64 = 1 << 25

  private static func maySetClock(_ process: Process, in tree: FileTree) -> Bool? {
    let line = tree.text("/proc/\(process.id)/status")?.split(separator: "\n").first {
      $0.hasPrefix("CapEff:")
    }
    return line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }.map {
      $0 & setsClock != 0
    }
  }
}

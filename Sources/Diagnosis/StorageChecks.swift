import Bytes

/// Where the log is kept, and the clock that dates it.
extension Check {
  /// What a ring that is there needs besides: the tail slots are in it already.
  private static let spareByteCount = 1 << 20
  /// File systems whose files are gone after the next boot.
  private static let volatileFileSystems: Set<String> = ["tmpfs", "ramfs", "overlay"]

  static let storage = Check(
    name: "storage", question: "Can the log be written?"
  ) { evidence in
    let storage = evidence.storage
    if storage.isReadOnly {
      return [
        Finding(
          "storage", .fault, "\(storage.path): its file system is mounted read-only",
          cure: "dmesg tells why; sudo mount -o remount,rw the file system, or fsck it")
      ]
    }
    var findings: [Finding] = []
    let wanted = storage.exists ? spareByteCount : storage.byteCount
    if let free = storage.freeByteCount, free < wanted {
      findings.append(
        Finding(
          "storage", storage.exists ? .warning : .fault,
          "\(storage.path): \(free >> 20) MiB free, \(wanted >> 20) MiB needed",
          cure: "make room, or set a smaller size in [log] of the configuration"))
    }
    if let type = storage.fileSystem, volatileFileSystems.contains(type) {
      findings.append(
        Finding(
          "storage", .warning, "\(storage.path): on \(type), lost at the next boot",
          cure: "set file in [log] to a path on a card or disk"))
    }
    if findings.isEmpty, let free = storage.freeByteCount {
      let type = storage.fileSystem.map { ", on \($0)" } ?? ""
      findings.append(Finding("storage", .ok, "\(storage.path): \(free >> 20) MiB free\(type)"))
    }
    return findings
  }

  static let medium = Check(
    name: "medium", question: "Is the card or disk healthy?"
  ) { evidence in
    let signs = [
      "EXT4-fs error", "I/O error, dev", "mmc0: error", "mmc0: Timeout", "mmcblk0: error",
    ]
    let message = evidence.kernelMessages?.last { line in signs.contains { line.holds($0) } }
    guard let message else { return [] }
    return [
      Finding(
        "medium", .fault, "kernel: \(message)",
        cure: "copy the log off (binnacle log-check), and replace the card")
    ]
  }

  static let ring = Check(
    name: "ring", question: "Can the log be read?"
  ) { evidence in
    let storage = evidence.storage
    if let damage = storage.damage {
      return [
        Finding(
          "ring", .fault, damage, cure: "sudo binnacle log-check --log \(storage.path)")
      ]
    }
    guard storage.exists else {
      return [Finding("ring", .note, "\(storage.path): no log yet")]
    }
    let newest = storage.newestFix.map { "newest fix \($0.iso8601)" } ?? "no fix in it yet"
    return [Finding("ring", .ok, "\(storage.path): \(newest)")]
  }

  static let clock = Check(
    name: "clock", question: "What keeps the system's clock?"
  ) { evidence in
    let clock = evidence.clock
    let missing = clock.chronySockets.filter { !$0.exists }.map { socket in
      Finding(
        "clock", .fault, "chronyd's socket \(socket.path) is not there",
        cure: "add 'refclock SOCK \(socket.path)' to /etc/chrony/chrony.conf and restart chrony")
    }
    if clock.isToBeSet, clock.mayBeSet == false {
      return missing + [
        Finding(
          "clock", .warning, "set-clock = once, but the service may not set the system's clock",
          cure: "sudo install -Dm644 /usr/share/doc/binnacle/examples/clock.conf "
            + "/etc/systemd/system/binnacle.service.d/clock.conf; sudo systemctl daemon-reload; "
            + "sudo systemctl restart binnacle")
      ]
    }
    guard missing.isEmpty, !clock.isSynchronised else { return missing }
    guard !clock.hasRealTimeClock else {
      return [Finding("clock", .note, "nothing keeps the system's clock in step")]
    }
    return [
      Finding(
        "clock", .note,
        "the board has no clock of its own, and nothing keeps the system's: it is wrong after a "
          + "boot; the log takes its times from the receiver",
        cure: "sudo apt install chrony, or set-clock = once in [time] of the configuration")
    ]
  }
}

import GNSS

/// Finds out whether a receiver's clock outlives a cut of its supply: what it says of the time
/// before it has a fix again is compared with the time that must be.
struct BackupTrial: Sendable {
  /// A time that came with a position, and when.
  private var known: (time: UTCTime, instant: Monotonic)?
  /// When the supply came back; `nil` while nothing is tried.
  private var restored: Monotonic?
  private var untimedCount = 0

  /// A clock that ran on is not further off.
  static let tolerance = Duration.seconds(5)
  /// Epochs without the time, or with another one, until the clock counts as lost.
  static let untimedCountMax = 5
  /// Without a backup supply no receiver has a position so soon.
  static let hotStart = Duration.seconds(12)

  var isRunning: Bool { restored != nil }

  mutating func begin(at now: Monotonic) { (restored, untimedCount) = (now, 0) }

  /// Whether the clock was kept; `nil` while it is not known.
  mutating func take(_ fix: Fix, at now: Monotonic) -> Bool? {
    defer {
      if fix.hasPosition, let time = fix.time { known = (time, now) }
    }
    guard let restored else { return nil }
    if fix.hasPosition { return end(now - restored <= Self.hotStart) }
    if let known, let time = fix.time {
      let drift = (time - known.time) - (now - known.instant)
      if abs(drift.inSeconds) <= Self.tolerance.inSeconds { return end(true) }
    }
    untimedCount += 1
    return untimedCount >= Self.untimedCountMax ? end(false) : nil
  }

  private mutating func end(_ isKept: Bool) -> Bool {
    restored = nil
    return isKept
  }
}

/// The supply that the host can cut.
extension ReceiverPilot {
  /// Whether the user says, or an earlier cut has shown, that the clock outlives one.
  var isBackupProven: Bool { setup.link.keepsBackup || facts?.keepsBackup ?? false }

  /// Whether a cut is worth it: proven, or not tried yet.
  var mayCutSupply: Bool {
    isBackupProven
      || setup.link.canCutSupply && setup.mayTryBackup && !(facts?.lacksBackup ?? false)
  }

  mutating func watchBackup(_ fix: Fix, at now: Monotonic) -> [Command] {
    guard let isKept = backupTrial.take(fix, at: now) else { return [] }
    if isKept {
      facts?.keepsBackup = true
      return remember()
    }
    facts?.lacksBackup = true
    link.keepsBackup = false
    sleep?.exclude(.cutSupply)
    mayNeedAid = true
    return remember() + degrade(.losesMemory)
  }
}

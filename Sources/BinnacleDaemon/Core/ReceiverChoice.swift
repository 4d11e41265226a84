import GNSS

/// Chooses, of several receivers, the one whose fixes place the board: two of them side by side
/// differ by metres, which would look like motion.
package struct ReceiverChoice: Sendable {
  /// Without a position for so long, the chosen one gives way to another that has one.
  package static let patience = Duration.seconds(10)

  private var chosen: (slot: DaemonCore.Slot, last: Monotonic)?

  package init() {}

  /// Whether an epoch of this receiver is to be taken.
  package mutating func takes(
    _ slot: DaemonCore.Slot, hasPosition: Bool, at now: Monotonic
  ) -> Bool {
    guard let chosen, chosen.slot != slot else {
      if hasPosition || chosen == nil { chosen = (slot, now) }
      return true
    }
    guard hasPosition, now - chosen.last > Self.patience else { return false }
    self.chosen = (slot, now)
    return true
  }

  /// Whether no other receiver places the board.
  package func isOpen(to slot: DaemonCore.Slot) -> Bool { chosen.map { $0.slot == slot } ?? true }

  /// A receiver is gone.
  package mutating func lost(_ slot: DaemonCore.Slot) {
    if chosen?.slot == slot { chosen = nil }
  }
}

import FixLog
import GNSS
import GNSSWire

// What comes of an epoch, and of knowing what a receiver is.
extension DaemonCore {
  /// The receiver said what it is.
  mutating func identified(
    _ identity: ReceiverIdentity, _ slot: Slot, at now: Now
  ) -> [Command] {
    guard let model = identity.model, receivers[slot].model != model else { return [] }
    receivers[slot].model = model
    let name = receivers[slot].session.identity
    return [
      .say("\(name): \(model)"),
      event(
        .configuration,
        [
          .init(.receiver, .text(name)), .init(.model, .text(model)),
          .init(.reason, .text("identified")),
        ], at: now),
    ]
  }

  /// Logs an epoch that places the receiver; one that does not only explains a hole.
  mutating func take(_ epoch: Epoch, of slot: Slot, at now: Now) -> [Command] {
    guard epoch.fix.hasPosition else {
      receivers[slot].gaps.note(.noFix)
      return [.publish(slot, epoch), .serve(slot, epoch)]
    }
    lastFix = (epoch.fix, epoch.firstByte)
    let rejected = Int(clamping: receivers[slot].session.rejectedCount())
    let gap = receivers[slot].gaps.fix(
      time: epoch.fix.time, boottime: epoch.firstByte, rejectedCount: rejected)
    var commands: [Command] = []
    if let time = epoch.fix.time {
      trustedOffset = time.microseconds &- epoch.firstByte.nanoseconds / 1000
      if let record = clocks.fix(
        time: time, boottime: epoch.firstByte, bootTag: settings.bootTag)
      {
        commands.append(.append(.clock(record), boottime: epoch.firstByte))
      }
    }
    if let gap { commands.append(gapEvent(gap, of: slot, at: now)) }
    // First those who wait for it; what the services make of it stands behind it in the log.
    commands.append(.publish(slot, epoch))
    commands.append(.append(.fix(epoch.fix, receivers[slot].descriptor), boottime: epoch.firstByte))
    commands.append(.serve(slot, epoch))
    return commands
  }

  private func gapEvent(_ gap: GapWatch.Gap, of slot: Slot, at now: Now) -> Command {
    var fields: [LogEvent.Field] = [
      .init(.receiver, .text(receivers[slot].session.identity)),
      .init(.reason, .text(gap.cause.reason)), .init(.count, .number(Int64(gap.rejectedCount))),
    ]
    if let from = gap.from { fields.append(.init(.from, .number(from.microseconds))) }
    if let to = gap.to { fields.append(.init(.to, .number(to.microseconds))) }
    return event(.gap, fields, at: now)
  }
}

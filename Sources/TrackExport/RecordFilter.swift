import Bytes
import FixLog
import GNSS

/// Which records a dump is about, as far as each can be judged by itself.
package struct RecordFilter: Sendable {
  /// A fix must lie in all of them.
  package var areas: [MapArea] = []
  /// Metres, 68 %. A fix without a known accuracy is worse than any.
  package var accuracyMax: Double?
  /// A part of the receiver's name, or of its id in hexadecimal.
  package var receiver: String?

  package init() {}

  package var isEmpty: Bool { areas.isEmpty && accuracyMax == nil && receiver == nil }

  /// Events have no place and no accuracy; those that name no receiver are of all.
  package func admits(_ record: LogRecord) -> Bool {
    switch record.content {
    case .fix(let fix, let stream): return admits(fix) && isOf(stream)
    case .event(let event):
      guard let receiver, case .text(let name)? = event[.receiver] else { return true }
      return name.holds(receiver)
    case .clock: return false
    }
  }

  private func admits(_ fix: Fix) -> Bool {
    if let accuracyMax {
      guard let accuracy = fix.horizontalAccuracy, accuracy <= accuracyMax else { return false }
    }
    guard !areas.isEmpty else { return true }
    guard fix.hasPosition, let position = fix.position, position.isValid else { return false }
    return areas.allSatisfy { $0.contains(position) }
  }

  private func isOf(_ stream: StreamDescriptor) -> Bool {
    guard let receiver else { return true }
    var id = OutputBuffer()
    id.append(hex: stream.receiverID, width: 16)
    return stream.name.holds(receiver) || id.text.holds(receiver)
  }
}

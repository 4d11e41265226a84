import Bytes
import FixLog
import GNSS

/// An event with the place where it happened.
package struct PlacedEvent {
  package let event: LogEvent
  package let record: LogRecord
  /// `nil` where no fix is near in the log.
  package internal(set) var place: Coordinate?

  /// `nil` for a record that is no event.
  package init?(_ record: LogRecord, at place: Coordinate?) {
    guard case .event(let event) = record.content else { return nil }
    (self.event, self.record, self.place) = (event, record, place)
  }

  var time: UTCTime? { record.time ?? event.time }

  /// Its particulars in words.
  var text: String {
    var buffer = OutputBuffer()
    buffer.append(textOf: event)
    return buffer.text
  }
}

/// Finds where events happened: at the last position before each, or else the first one behind it.
package struct EventPlaces {
  private var place: Coordinate?
  private var waiting: [LogRecord] = []

  /// Events that wait for the first position of all; more have no place. At some 100 bytes each.
  private static let waitingCountMax = 1024

  package init() {}

  /// Takes in every record in the log's order.
  /// - Parameter emit: Is handed the events whose place is found.
  package mutating func add(_ record: LogRecord, emit: (LogRecord, Coordinate?) -> Void) {
    switch record.content {
    case .fix(let fix, _):
      guard fix.hasPosition, let position = fix.position, position.isValid else { return }
      place = position
      finish(emit: emit)
    case .event:
      if place == nil, waiting.count < Self.waitingCountMax {
        waiting.append(record)
      } else {
        emit(record, place)
      }
    case .clock: break
    }
  }

  /// Hands out the events that found no place.
  package mutating func finish(emit: (LogRecord, Coordinate?) -> Void) {
    guard !waiting.isEmpty else { return }
    for record in waiting { emit(record, place) }
    waiting.removeAll()
  }
}

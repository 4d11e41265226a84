import GNSS

/// A position with the number of decimals of its minutes, which tells the better of two sources.
package struct NMEAPosition: Equatable, Sendable {
  package var coordinate: Coordinate
  package var decimals: UInt8
}

/// A sentence that belongs to the epoch of its time of day.
protocol TimedSentence {
  /// `nil` is blank.
  var time: TimeOfDay? { get }

  /// Takes the fields behind the address; `nil` where the structure is not this sentence's.
  init?(_ all: SentenceFields)
}

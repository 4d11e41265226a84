import Bytes
import GNSS
import GNSSWire

/// What a kind of receiver costs and takes, as its data file says it. Every figure carries where it
/// comes from, so that a guess is never taken for a measurement.
package struct ReceiverProfile: Sendable {
  /// A number with its source.
  package struct Figure: Equatable, Sendable {
    package var value: Double
    /// `unverified` where nobody has measured it.
    package var source: String

    package init(value: Double, source: String) { (self.value, self.source) = (value, source) }

    package var isVerified: Bool { source != ReceiverProfile.unverified }
  }

  package static let unverified = "unverified"

  /// The file's name without its ending; commands take it.
  package var id: String
  package var name = ""
  package var family = ChipFamily.unknown
  /// What a receiver's own model name contains that is meant by this.
  package var models: [String] = []
  /// The rates that it may start at, most likely first.
  package var baudRates: [Int] = []

  /// Volts of the receiver's rail.
  package var supply = Figure(value: 3, source: unverified)
  /// Milliamperes of the rail while it searches, tracks, and tracks in its cyclic mode.
  package var acquisition = Figure(value: 0, source: unverified)
  package var tracking = Figure(value: 0, source: unverified)
  package var cyclic: Figure?
  /// Milliamperes asleep, by method; the usual one first.
  package var sleep: [(method: SleepMethod, figure: Figure)] = []
  /// Seconds to a fix under an open sky.
  package var hotStart = Figure(value: 2, source: unverified)
  package var warmStart = Figure(value: 28, source: unverified)
  package var coldStart = Figure(value: 32, source: unverified)
  /// Milliseconds between epochs, at the least.
  package var shortestInterval = Figure(value: 1000, source: unverified)

  package init(id: String) { self.id = id }

  /// Milliamperes asleep by this method; `nil` where the file does not say.
  package func sleepCurrent(_ method: SleepMethod) -> Double? {
    sleep.first { $0.method == method }?.figure.value
  }

  /// What the duty cycle reckons with.
  package var power: ReceiverPower {
    ReceiverPower(
      acquisition: acquisition.value, tracking: tracking.value, cyclic: cyclic?.value,
      shortestInterval: .milliseconds(Int64(shortestInterval.value)), canSleep: !sleep.isEmpty)
  }

  /// Whether it is meant by this model.
  package func matches(_ model: ReceiverModel) -> Bool {
    model.family == family && models.contains { model.name.holds($0) }
  }
}

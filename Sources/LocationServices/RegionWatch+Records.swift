import GNSS

/// What `regions list` and `record(for:)` show of a region.
package struct RegionRecord: Equatable, Sendable {
  package var identifier: String
  package var shape: RegionShape
  package var options: RegionOptions
  package var state: RegionState
  /// When the state last changed; `nil` if it never did, or at an unknown time.
  package var changed: UTCTime?
  /// Where it was determined, as far as that still matters.
  package var anchor: Place?

  /// Whether it is smaller than fixes are reliable for.
  package var isUnreliable: Bool { shape.reach < RegionShape.radiusReliable }
}

extension RegionWatch {
  package func record(for identifier: String, in monitor: MonitorNumber) -> RegionRecord? {
    slots[monitor]?[identifier].map(record)
  }

  /// All regions of a monitor, by name.
  package func records(of monitor: MonitorNumber) -> [RegionRecord] {
    slots[monitor, default: [:]].sorted { $0.key < $1.key }.map { record($0.value) }
  }

  private func record(_ slot: Int32) -> RegionRecord {
    let entry = entries[Int(slot)]
    var options = RegionOptions()
    options.notifiesEntry = flags[Int(slot)].contains(.notifiesEntry)
    options.notifiesExit = flags[Int(slot)].contains(.notifiesExit)
    return RegionRecord(
      identifier: identifiers[Int(slot)],
      shape: polygons[slot].map { .polygon($0.corners) }
        ?? .circle(centre: entry.middle, radius: entry.radius),
      options: options, state: states[Int(slot)], changed: changes[slot], anchor: anchors[slot])
  }

  /// Puts back what was known of a region when it was written down. The next fix looks at it anew.
  package mutating func restore(
    _ identifier: String, in monitor: MonitorNumber, state: RegionState, changed: UTCTime?,
    anchor: Place?
  ) {
    guard let slot = slots[monitor]?[identifier] else { return }
    states[Int(slot)] = state
    changes[slot] = changed
    anchors[slot] = anchor
  }
}

import GNSS

/// What is known of a region. Raw values stand in the state file.
package enum RegionState: UInt8, Sendable {
  case unknown = 0
  /// The receiver is inside.
  case satisfied = 1
  /// It is outside.
  case unsatisfied = 2

  package var name: String { "\(self)" }
}

/// Which monitor a region belongs to; small numbers, given out by the owner.
package typealias MonitorNumber = Int32

/// What is to be told about a region, apart from its shape.
package struct RegionOptions: Equatable, Sendable {
  package var notifiesEntry = true
  package var notifiesExit = true
  /// What to take for true until the first fix, which corrects it.
  package var assumedState = RegionState.unknown

  package init() {}
}

/// The receiver crossed a region's edge.
package struct RegionTransition: Equatable, Sendable {
  package var monitor: MonitorNumber
  package var identifier: String
  /// `satisfied` on entry, `unsatisfied` on exit.
  package var state: RegionState
  /// When; `nil` while the time is not known.
  package var time: UTCTime?
  /// Where the fix lay that told it: the next change of state needs a real move from there.
  package var place: Place
  /// Whether the region asks to be told of it.
  package var notifies: Bool
}

/// Watches many regions: a fix costs the same with 20 as with 100,000 of them.
///
/// After a look at all regions near by, `clearance` is how far the next edge is. Until the receiver
/// has moved that far, nothing can change, and nothing is computed.
package struct RegionWatch: Sendable {
  /// Regions in all monitors together; more are refused.
  package static let regionCountMax = 200_000
  /// Bytes of UTF-8 in an identifier.
  package static let identifierByteCountMax = 255
  /// So many regions wait beside the index before it is made anew.
  static let freshCountMax = 256
  /// Metres, 68 %: what fixes in the open are better than.
  static let accuracyUsual = 15.0
  /// Metres. It does not matter how much farther than this the nearest edge is.
  static let clearanceMax = 200_000.0

  var entries: [RegionIndex.Entry] = []
  var identifiers: [String] = []
  var monitors: [MonitorNumber] = []
  var states: [RegionState] = []
  var flags: [Flags] = []
  var polygons: [Int32: RegionPolygon] = [:]
  /// Where the state was last determined, for regions near by.
  var anchors: [Int32: Place] = [:]
  /// When the state last changed.
  var changes: [Int32: UTCTime] = [:]
  var slots: [MonitorNumber: [String: Int32]] = [:]

  private var index = RegionIndex()
  /// Not in the index yet.
  private var fresh: [Int32] = []
  /// Removed, but still in the index.
  private var retired: [Int32] = []
  private var free: [Int32] = []
  /// What each fix must look at: the state does not follow from the side of the edge.
  private var open: [Int32] = []
  private var hits: [Int32] = []
  private var lastPoint: RegionIndex.Point?
  private var clearance = 0.0
  private var moved = 0.0

  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8
    static let notifiesEntry = Flags(rawValue: 1)
    static let notifiesExit = Flags(rawValue: 2)
    static let isOpen = Flags(rawValue: 4)
    static let isRemoved = Flags(rawValue: 8)
  }

  package init() {}

  package var count: Int { entries.count - retired.count - free.count }

  /// Metres from the last fix to the nearest edge, or to where one may be at the nearest; at most
  /// 200 km. `nil` without regions or before the first fix.
  package var edgeDistance: Double? {
    lastPoint == nil || count == 0 ? nil : max(clearance - moved, 0)
  }

  /// Takes a region in, in place of the one of the same name.
  /// - Throws: `regionMonitoringFailure` for a shape, name or number that cannot be.
  package mutating func add(
    _ identifier: String, to monitor: MonitorNumber, shape: RegionShape,
    options: RegionOptions = RegionOptions()
  ) throws(LocationError) {
    try shape.validate()
    guard !identifier.isEmpty, identifier.utf8.count <= Self.identifierByteCountMax else {
      throw LocationError(
        .regionMonitoringFailure, cause: "an identifier has 1 to 255 bytes")
    }
    remove(identifier, from: monitor)
    guard count < Self.regionCountMax else {
      throw LocationError(
        .regionMonitoringFailure, cause: "\(Self.regionCountMax) regions are monitored already",
        nextStep: "remove some with 'binnacle regions remove'")
    }
    let slot = claimSlot(shape)
    identifiers[Int(slot)] = identifier
    monitors[Int(slot)] = monitor
    states[Int(slot)] = options.assumedState
    flags[Int(slot)] = .isOpen
    if options.notifiesEntry { flags[Int(slot)].insert(.notifiesEntry) }
    if options.notifiesExit { flags[Int(slot)].insert(.notifiesExit) }
    slots[monitor, default: [:]][identifier] = slot
    fresh.append(slot)
    open.append(slot)
  }

  /// - Returns: Whether there was such a region.
  @discardableResult
  package mutating func remove(_ identifier: String, from monitor: MonitorNumber) -> Bool {
    guard let slot = slots[monitor]?.removeValue(forKey: identifier) else { return false }
    flags[Int(slot)] = .isRemoved
    identifiers[Int(slot)] = ""
    polygons[slot] = nil
    anchors[slot] = nil
    changes[slot] = nil
    retired.append(slot)
    return true
  }

  package mutating func removeAll(of monitor: MonitorNumber) {
    for identifier in slots[monitor, default: [:]].keys { remove(identifier, from: monitor) }
    slots[monitor] = nil
  }

  private mutating func claimSlot(_ shape: RegionShape) -> Int32 {
    let entry: RegionIndex.Entry
    var polygon: RegionPolygon?
    switch shape {
    case .circle(let centre, let radius):
      entry = RegionIndex.Entry(middle: centre, radius: radius, isSolid: true)
    case .polygon(let corners):
      polygon = RegionPolygon(corners)
      entry = RegionIndex.Entry(
        middle: polygon?.middle ?? corners[0], radius: polygon?.reach ?? 0, isSolid: false)
    }
    let slot = free.popLast() ?? Int32(entries.count)
    if Int(slot) == entries.count {
      entries.append(entry)
      identifiers.append("")
      monitors.append(0)
      states.append(.unknown)
      flags.append([])
    }
    entries[Int(slot)] = entry
    polygons[slot] = polygon
    return slot
  }

  /// Takes a fix in. A jump is left out: the next fix tells whether it was one.
  /// - Returns: Which edges were crossed.
  package mutating func observe(_ sighting: Sighting) -> [RegionTransition] {
    guard !sighting.isJump, count > 0 else { return [] }
    let point = RegionIndex.Point(sighting.place.position)
    moved =
      lastPoint.map { RegionIndex.longestArc(chord: (point.centre - $0.centre).length) } ?? 0
    if open.isEmpty, lastPoint != nil, moved < clearance { return [] }
    if fresh.count > Self.freshCountMax || retired.count > entries.count / 4 { rebuild() }
    return look(sighting, from: point)
  }

  private mutating func look(
    _ sighting: Sighting, from point: RegionIndex.Point
  ) -> [RegionTransition] {
    var nearest = Self.clearanceMax
    hits.removeAll(keepingCapacity: true)
    for slot in open where !flags[Int(slot)].contains(.isRemoved) { hits.append(slot) }
    for slot in fresh where flags[Int(slot)].isDisjoint(with: [.isRemoved, .isOpen]) {
      hits.append(slot)
    }
    index.search(entries, from: point, band: moved, nearest: &nearest) { slot in
      if flags[Int(slot)].isDisjoint(with: [.isRemoved, .isOpen]) { hits.append(slot) }
    }
    open.removeAll(keepingCapacity: true)
    var transitions: [RegionTransition] = []
    for slot in hits {
      let distance = edgeDistance(of: slot, from: point)
      nearest = min(nearest, abs(distance))
      if let state = newState(of: slot, at: distance, sighting.place) {
        settle(slot, state, sighting, distance, &transitions)
      }
      let state = states[Int(slot)]
      if state == (distance <= 0 ? .satisfied : .unsatisfied) {
        flags[Int(slot)].remove(.isOpen)
      } else {
        flags[Int(slot)].insert(.isOpen)
        open.append(slot)
      }
    }
    (lastPoint, clearance, moved) = (point, nearest, 0)
    return transitions.sorted { ($0.monitor, $0.identifier) < ($1.monitor, $1.identifier) }
  }

  /// Metres to the edge, negative inside.
  private func edgeDistance(of slot: Int32, from point: RegionIndex.Point) -> Double {
    let beyond = RegionIndex.beyond(entries[Int(slot)], from: point)
    guard beyond <= 0, let polygon = polygons[slot] else { return beyond }
    return polygon.edgeDistance(from: point.position)
  }

  /// The state that a fix proves, if it is another one than before. It must lie beyond the edge by
  /// its accuracy, and have moved for certain since the state was determined, so that noise at the
  /// edge makes no events. A region smaller than the accuracy is entered in its inner half, by a
  /// fix that is not coarser than the region or than `accuracyUsual`.
  private func newState(of slot: Int32, at distance: Double, _ place: Place) -> RegionState? {
    let state = states[Int(slot)]
    let radius = entries[Int(slot)].radius
    let inner =
      place.accuracy <= max(radius, Self.accuracyUsual)
      ? min(place.accuracy, radius / 2) : place.accuracy
    let proven: RegionState
    if distance <= -inner {
      proven = .satisfied
    } else if distance >= place.accuracy {
      proven = .unsatisfied
    } else {
      return nil
    }
    guard proven != state else { return nil }
    if state != .unknown, let anchor = anchors[slot],
      anchor.distance(to: place) < Place.certainty * anchor.uncertainty(to: place)
    {
      return nil
    }
    return proven
  }

  private mutating func settle(
    _ slot: Int32, _ state: RegionState, _ sighting: Sighting, _ distance: Double,
    _ transitions: inout [RegionTransition]
  ) {
    let old = states[Int(slot)]
    states[Int(slot)] = state
    // Far from the edge a change can only come with a move, and the place need not be kept.
    let isNear = abs(distance) < Place.certainty * 2 * sighting.place.accuracy
    anchors[slot] = isNear ? sighting.place : nil
    guard state == .satisfied || old == .satisfied else { return }
    changes[slot] = sighting.time
    transitions.append(
      RegionTransition(
        monitor: monitors[Int(slot)], identifier: identifiers[Int(slot)], state: state,
        time: sighting.time, place: sighting.place,
        notifies: flags[Int(slot)].contains(state == .satisfied ? .notifiesEntry : .notifiesExit)))
  }

  private mutating func rebuild() {
    free.append(contentsOf: retired)
    retired.removeAll()
    fresh.removeAll()
    let live = (0..<Int32(entries.count)).filter { !flags[Int($0)].contains(.isRemoved) }
    index = RegionIndex(live, entries)
  }
}

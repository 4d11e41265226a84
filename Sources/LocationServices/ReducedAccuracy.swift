import GNSS

/// Makes an exact position into a rough one that cannot be made exact again: the middle of a cell
/// about 5 km wide, the same for everybody, changed at most every 15 minutes.
///
/// There is one of these for all who have reduced accuracy, however they ask: streams, one-shots,
/// regions and gpsd clients. So many clients, or one that comes again and again, learn no more than
/// one that waits. The cell is left only when the position is clearly outside, so that a receiver
/// at rest on a border does not give itself away by wavering.
package struct ReducedAccuracy: Sendable {
  /// Degrees of latitude: 5 km.
  package static let cellHeight = 0.045
  /// Metres.
  package static let cellWidth = 5000.0
  /// Metres from the middle of a cell to its corners, 500 m outside of them: where a position may
  /// lie that is told as the middle.
  package static let accuracy = 4300.0
  /// Between two changes.
  package static let interval = Duration.seconds(900)
  /// Metres beyond the border at which a cell is left.
  package static let margin = 500.0
  /// Metres. Smaller circles are not monitored for clients with reduced accuracy.
  package static let regionRadiusMin = 10_000.0

  /// What everybody with reduced accuracy gets.
  package private(set) var published: Fix?
  /// When it may change.
  private var due = Monotonic.zero
  private var cell: Cell?

  package init() {}

  /// Takes an exact fix in.
  /// - Returns: The rough one, if it is time for a new one.
  @inline(__always)  // else room is made for a rough one at each fix
  package mutating func observe(_ sighting: Sighting) -> Fix? {
    guard !sighting.isJump, sighting.now.boottime >= due else { return nil }
    return renew(sighting)
  }

  private mutating func renew(_ sighting: Sighting) -> Fix? {
    let place = sighting.place
    if cell?.holds(place.position, margin: max(Self.margin, place.accuracy)) != true {
      cell = Cell(holding: place.position)
    }
    guard let cell else { return nil }
    let fix = Self.fix(in: cell, time: sighting.time, status: sighting.fix.status)
    (published, due) = (fix, sighting.now.boottime + Self.interval)
    return fix
  }

  /// Nothing but the cell and the time: speed, course and altitude would tell more.
  fileprivate static func fix(in cell: Cell, time: UTCTime?, status: FixStatus) -> Fix {
    var fix = Fix()
    fix.time = time
    fix.mode = .twoD
    fix.status = status == .simulated ? .simulated : .unknown
    fix.position = cell.middle
    fix.horizontalAccuracy = accuracy
    fix.accuracyIsEstimated = true
    return fix
  }
}

/// Reduces a recorded track for one who may only see it roughly: one position in each quarter of an
/// hour of UTC.
///
/// The answer must not depend on where a dump begins, or many dumps would tell together what one
/// does not. So feed the track from the beginning of a UTC day, and drop what is not asked for
/// after this, not before.
package struct ReducedTrack: Sendable {
  private var cell: ReducedAccuracy.Cell?
  private var slot: Int64?
  private var day: CalendarDate?

  package init() {}

  /// - Returns: The rough fix that stands for this one's quarter of an hour, if it is the first in
  ///   it; its time is the quarter's beginning. `nil` also for a fix without date or position.
  package mutating func reduce(_ fix: Fix) -> Fix? {
    guard fix.hasPosition, let position = fix.position, position.isValid, let time = fix.time
    else { return nil }
    let length = ReducedAccuracy.interval.wholeMicroseconds
    let slot = time.microseconds / length
    guard slot != self.slot else { return nil }
    self.slot = slot
    if time.date != day { cell = nil }
    day = time.date
    let accuracy = fix.horizontalAccuracy ?? 0
    let margin = accuracy.isFinite ? max(ReducedAccuracy.margin, accuracy) : ReducedAccuracy.margin
    if cell?.holds(position, margin: margin) != true {
      cell = ReducedAccuracy.Cell(holding: position)
    }
    return cell.map {
      ReducedAccuracy.fix(
        in: $0, time: UTCTime(microseconds: slot * length), status: fix.status)
    }
  }
}

extension ReducedAccuracy {
  /// A cell of the grid: rows of equal height, each divided into cells of about equal width.
  struct Cell: Equatable, Sendable {
    var row: Int
    var column: Int

    private static let rowCount = Int((180 / cellHeight).rounded())

    init(holding position: Coordinate) {
      row = min(max(Int((position.latitude + 90) / cellHeight), 0), Self.rowCount - 1)
      let width = 360 / Double(Self.columnCount(row: row))
      column = min(
        max(Int((position.longitude + 180) / width), 0), Self.columnCount(row: row) - 1)
    }

    private static func columnCount(row: Int) -> Int {
      let latitude = (Double(row) + 0.5) * cellHeight - 90
      let parallel = Coordinate(latitude: latitude, longitude: 0).normal.x
      return max(Int((parallel * 2 * .pi * WGS84.equatorialRadius / cellWidth).rounded()), 1)
    }

    private var width: Double { 360 / Double(Self.columnCount(row: row)) }

    var middle: Coordinate {
      Coordinate(
        latitude: (Double(row) + 0.5) * cellHeight - 90,
        longitude: (Double(column) + 0.5) * width - 180)
    }

    /// Whether a position is inside, or outside by less than `margin` metres.
    func holds(_ position: Coordinate, margin: Double) -> Bool {
      let metresPerDegree = 111_195.0
      let north = abs(position.latitude - middle.latitude) - cellHeight / 2
      let east =
        abs((position.longitude - middle.longitude).remainder(dividingBy: 360)) - width / 2
      let parallel = position.normal
      let across = (1 - parallel.z * parallel.z).squareRoot() * metresPerDegree
      return north * metresPerDegree <= margin && east * across <= margin
    }
  }
}

import GNSS

/// Finds the regions whose edge is near a place, however many there are: a packed tree of boxes
/// around the regions' middles, in Earth-centred metres, where neither the antimeridian nor a pole
/// is a border.
///
/// A region is known here as a circle with a middle and a radius. Of one that is `solid` the edge
/// lies on that circle; of another (a polygon) it lies anywhere within.
struct RegionIndex: Sendable {
  struct Entry: Sendable {
    var middle: Coordinate
    var centre: Vector3
    var radius: Double
    var isSolid: Bool

    init(middle: Coordinate, radius: Double, isSolid: Bool) {
      (self.middle, self.radius, self.isSolid) = (middle, radius, isSolid)
      centre = middle.earthCentred
    }
  }

  /// A place to ask from.
  struct Point: Sendable {
    var position: Coordinate
    var centre: Vector3

    init(_ position: Coordinate) { (self.position, centre) = (position, position.earthCentred) }
  }

  /// Boxes or regions in one box.
  private static let fanOut = 16
  /// Metres that a box may be off by, as it is kept in `Float`.
  private static let slack: Float = 2

  private struct Node {
    var low = SIMD3<Float>(repeating: .infinity)
    var high = SIMD3<Float>(repeating: -.infinity)
    var radiusMax: Float = 0
    /// The smallest radius of a solid region; 0 where one is not solid.
    var radiusMin: Float = .infinity

    mutating func cover(_ other: Node) {
      low = pointwiseMin(low, other.low)
      high = pointwiseMax(high, other.high)
      radiusMax = max(radiusMax, other.radiusMax)
      radiusMin = min(radiusMin, other.radiusMin)
    }
  }

  /// The regions in the order of a curve that fills space, so that neighbours share boxes.
  private var order: [Int32] = []
  /// The levels of the tree, the leaves' boxes first.
  private var levels: [[Node]] = []

  init() {}

  /// Sorts the given regions in.
  init(_ slots: [Int32], _ entries: [Entry]) {
    order =
      slots
      .map { (key: Self.curveKey(entries[Int($0)].centre), slot: $0) }
      .sorted { ($0.key, $0.slot) < ($1.key, $1.slot) }
      .map(\.slot)
    var level = order.map { Self.node(entries[Int($0)]) }
    while level.count > 1 || levels.isEmpty && !level.isEmpty {
      level = stride(from: 0, to: level.count, by: Self.fanOut).map { start in
        var box = Node()
        for child in level[start..<min(start + Self.fanOut, level.count)] { box.cover(child) }
        return box
      }
      levels.append(level)
    }
  }

  /// Visits every region whose edge may lie within `band` metres, and finds out how far it is to
  /// the nearest edge of all.
  /// - Parameters:
  ///   - nearest: In: no farther edge matters. Out: the distance to the nearest edge of a solid
  ///     region, or to the circle around another, if it is below that.
  ///   - visit: Takes a region; also one that is not solid, if the place is within its circle.
  func search(
    _ entries: [Entry], from point: Point, band: Double, nearest: inout Double,
    visit: (Int32) -> Void
  ) {
    guard let root = levels.last, !root.isEmpty else { return }
    let here = SIMD3<Float>(
      Float(point.centre.x), Float(point.centre.y), Float(point.centre.z))
    var stack = [(level: levels.count - 1, index: 0, bound: Float(0))]
    while let (level, index, bound) = stack.popLast() {
      guard Double(bound) <= max(band, nearest) else { continue }
      let first = index * Self.fanOut
      guard level > 0 else {
        for slot in order[first..<min(first + Self.fanOut, order.count)] {
          let distance = Self.edgeDistance(entries[Int(slot)], from: point)
          if distance <= band { visit(slot) }
          if distance > 0 || entries[Int(slot)].isSolid { nearest = min(nearest, distance) }
        }
        continue
      }
      let boxes = levels[level - 1]
      let bottom = stack.count
      for child in first..<min(first + Self.fanOut, boxes.count) {
        let bound = Self.bound(boxes[child], from: here)
        guard Double(bound) <= max(band, nearest) else { continue }
        // The nearest box is to be the last of the stack: it is opened first.
        var place = stack.count
        while place > bottom, stack[place - 1].bound < bound { place -= 1 }
        stack.insert((level - 1, child, bound), at: place)
      }
    }
  }

  /// Metres to the edge of a solid region; of another, to the circle around it, 0 within.
  static func edgeDistance(_ entry: Entry, from point: Point) -> Double {
    let beyond = distance(entry, from: point) - entry.radius
    return entry.isSolid ? abs(beyond) : max(beyond, 0)
  }

  /// Metres along the geodesic to the middle. Near by, the chord is lengthened to the arc over the
  /// mean radius, which is right within 10 mm over 100 km and costs next to nothing.
  static func distance(_ entry: Entry, from point: Point) -> Double {
    let chord = (entry.centre - point.centre).length
    guard chord < arcMax else { return entry.middle.distance(to: point.position) }
    return chord * (1 + chord * chord / (24 * meanRadius * meanRadius))
  }

  private static let arcMax = 100_000.0
  private static let meanRadius = 6_371_000.0

  /// No edge in the box is nearer than this.
  private static func bound(_ node: Node, from here: SIMD3<Float>) -> Float {
    let outside = pointwiseMax(pointwiseMax(node.low - here, here - node.high), .zero)
    let least = (outside * outside).sum().squareRoot()
    let most = pointwiseMax(here - node.low, node.high - here)
    let farthest = (most * most).sum().squareRoot()
    // An arc is longer than its chord: by a thousandth over 1,000 km, by a half over all.
    let arc = farthest * (farthest < 1_000_000 ? 1.0012 : 1.58)
    return max(least - node.radiusMax, node.radiusMin - arc, slack) - slack
  }

  private static func node(_ entry: Entry) -> Node {
    let centre = SIMD3<Float>(
      Float(entry.centre.x), Float(entry.centre.y), Float(entry.centre.z))
    return Node(
      low: centre, high: centre, radiusMax: Float(entry.radius),
      radiusMin: entry.isSolid ? Float(entry.radius) : 0)
  }

  /// The place along a Z-order curve: the bits of the three coordinates, 21 each, in turns.
  private static func curveKey(_ centre: Vector3) -> UInt64 {
    func spread(_ metres: Double) -> UInt64 {
      // From -6,400 km to 6,400 km in steps of 6.1 m.
      var bits = UInt64(min(max((metres + 6_400_000) / 12_800_000, 0), 1) * 2_097_151)
      bits = (bits | bits << 32) & 0x1f_0000_0000_ffff
      bits = (bits | bits << 16) & 0x1f_0000_ff00_00ff
      bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f
      bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3
      return (bits | bits << 2) & 0x1249_2492_4924_9249
    }
    return spread(centre.x) | spread(centre.y) << 1 | spread(centre.z) << 2
  }
}

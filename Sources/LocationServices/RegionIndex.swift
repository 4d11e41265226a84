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
    var keys = [UInt64](repeating: 0, count: entries.count)
    for slot in slots { keys[Int(slot)] = Self.curveKey(entries[Int(slot)].centre) }
    order = slots.sorted { (keys[Int($0)], $0) < (keys[Int($1)], $1) }
    guard !order.isEmpty else { return }
    var level = Self.boxes(count: order.count) { Self.node(entries[Int(order[$0])]) }
    levels.append(level)
    while level.count > 1 {
      level = Self.boxes(count: level.count) { level[$0] }
      levels.append(level)
    }
  }

  /// Boxes around so many things, `fanOut` in each.
  private static func boxes(count: Int, _ content: (Int) -> Node) -> [Node] {
    stride(from: 0, to: count, by: fanOut).map { start in
      var box = Node()
      for index in start..<min(start + fanOut, count) { box.cover(content(index)) }
      return box
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
          let entry = entries[Int(slot)]
          let beyond = Self.beyond(entry, from: point)
          let distance = entry.isSolid ? abs(beyond) : max(beyond, 0)
          if distance <= band { visit(slot) }
          if distance > 0 || entry.isSolid { nearest = min(nearest, distance) }
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

  /// Metres from the circle to a place, negative inside. Near by, the chord is lengthened to the
  /// arc over the mean radius, which is right within 10 mm over 100 km and costs next to nothing.
  /// Where it is clear without a geodesic that nothing happens, the edge is only said to be no
  /// nearer.
  static func beyond(_ entry: Entry, from point: Point) -> Double {
    let chord = (entry.centre - point.centre).length
    if chord < arcMax {
      return chord * (1 + chord * chord / (24 * meanRadius * meanRadius)) - entry.radius
    }
    if chord - entry.radius > clearDistance { return chord - entry.radius }
    let longest = longestArc(chord: chord)
    if longest - entry.radius < -clearDistance { return longest - entry.radius }
    return entry.middle.distance(to: point.position) - entry.radius
  }

  /// No arc over a chord is longer: by a thousandth over 1,000 km, by a half over all.
  static func longestArc(chord: Double) -> Double { chord * (chord < 1_000_000 ? 1.0012 : 1.58) }

  /// Metres of chord up to which the arc is known from it.
  private static let arcMax = 100_000.0
  private static let meanRadius = 6_371_000.0
  /// Metres from the edge at which nothing depends on how many they are.
  private static let clearDistance = 50_000.0

  /// No edge in the box is nearer than this.
  private static func bound(_ node: Node, from here: SIMD3<Float>) -> Float {
    let outside = pointwiseMax(pointwiseMax(node.low - here, here - node.high), .zero)
    let least = (outside * outside).sum().squareRoot()
    let most = pointwiseMax(here - node.low, node.high - here)
    let farthest = Float(longestArc(chord: Double((most * most).sum().squareRoot())))
    return max(least - node.radiusMax, node.radiusMin - farthest, slack) - slack
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

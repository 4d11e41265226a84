import CMath

/// A drawing under way. Lengths are in units of its view box.
struct SVG {
  private var text: String
  private static func number(_ value: Double) -> String { PlanText.fixed(value, 1) }

  init(height: Double) {
    let size = "\(Self.number(PlanPlots.width)) \(Self.number(height))"
    text = "<svg viewBox=\"0 0 \(size)\" role=\"img\">\n"
  }

  var finished: String { text + "</svg>\n" }

  mutating func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ fill: String) {
    let corner = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    text += "<rect \(corner) \(size) fill=\"\(fill)\"/>\n"
  }

  mutating func line(_ fromX: Double, _ fromY: Double, _ toX: Double, _ toY: Double) {
    let start = "x1=\"\(Self.number(fromX))\" y1=\"\(Self.number(fromY))\""
    let end = "x2=\"\(Self.number(toX))\" y2=\"\(Self.number(toY))\""
    text += "<line class=\"grid\" \(start) \(end)/>\n"
  }

  mutating func curve(_ points: [(x: Double, y: Double)], _ color: String) {
    guard !points.isEmpty else { return }
    let list = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
    text += "<polyline class=\"curve\" stroke=\"\(color)\" points=\"\(list)\"/>\n"
  }

  mutating func text(
    _ words: String, _ x: Double, _ y: Double, _ look: String = "", anchor: String = "start"
  ) {
    let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    text += "<text class=\"\(look)\" text-anchor=\"\(anchor)\" \(place)>"
    text += PlanPage.escaped(words) + "</text>\n"
  }
}

/// A logarithmic axis over whole decades.
struct LogScale {
  private let low: Int
  private let high: Int
  private let from: Double
  private let to: Double

  /// - Parameter values: All above zero.
  init(_ values: [Double], from: Double, to: Double) {
    let logs = values.filter { $0 > 0 && $0.isFinite }.map { math_log($0) / math_log(10) }
    low = Int(max((logs.min() ?? 0).rounded(.down), -6))
    high = max(Int(min((logs.max() ?? 1).rounded(.up), 9)), low + 1)
    (self.from, self.to) = (from, to)
  }

  var decades: [Int] { Array(low...high) }

  func at(_ decade: Int) -> Double {
    from + (to - from) * Double(decade - low) / Double(high - low)
  }

  func at(_ value: Double) -> Double {
    let log = math_log(max(value, 1e-9)) / math_log(10)
    return from + (to - from) * (log - Double(low)) / Double(high - low)
  }

  func label(_ decade: Int) -> String {
    var text = "1"
    if decade >= 0 { return text + String(repeating: "0", count: decade) }
    text = "0." + String(repeating: "0", count: -decade - 1) + "1"
    return text
  }
}

/// A direction in degrees clockwise from true north.
package enum Bearing {
  /// `degrees` as it is when written with `decimals` (0 to 9) digits: 359.9996 with three is 0, as
  /// there is no 360.
  package static func rounded(_ degrees: Double, decimals: Int) -> Double {
    guard degrees >= 359 else { return degrees }
    var unit = 1.0
    for _ in 0..<min(max(decimals, 0), 9) { unit /= 10 }
    return degrees >= 360 - unit / 2 && degrees <= 360 ? 0 : degrees
  }
}

import CMath

/// The ellipsoid that every position refers to. NIMA TR8350.2, table 3.1.
package enum WGS84 {
  /// Metres from the centre to the equator.
  package static let equatorialRadius = 6_378_137.0
  package static let flattening = 1 / 298.257_223_563
  /// Metres from the centre to a pole.
  package static let polarRadius = equatorialRadius * (1 - flattening)
  /// The first eccentricity squared: (a² - b²) / a².
  static let eccentricitySquared = flattening * (2 - flattening)
  /// The second eccentricity squared: (a² - b²) / b².
  static let secondEccentricitySquared =
    eccentricitySquared / ((1 - flattening) * (1 - flattening))
}

/// An angle as its sine and cosine: exact at the quarters of the circle, and as fine near 90
/// degrees as near 0.
struct Direction {
  var sine: Double
  var cosine: Double

  /// Of an angle in degrees.
  init(degrees: Double) {
    let rest = degrees.remainder(dividingBy: 90)
    let quarter = ((degrees - rest) / 90).remainder(dividingBy: 4)
    let (sine, cosine) = (math_sin(rest * .pi / 180), math_cos(rest * .pi / 180))
    switch quarter {
    case 0: (self.sine, self.cosine) = (sine, cosine)
    case 1: (self.sine, self.cosine) = (cosine, -sine)
    case -1: (self.sine, self.cosine) = (-cosine, sine)
    default: (self.sine, self.cosine) = (-sine, -cosine)
    }
  }

  /// Of the vector (cosine, sine), whatever its length; the length 0 gives the angle 0.
  init(sine: Double, cosine: Double) {
    let length = (sine * sine + cosine * cosine).squareRoot()
    (self.sine, self.cosine) = length > 0 ? (sine / length, cosine / length) : (0, 1)
  }

  /// -180...180.
  var degrees: Double { radians * 180 / .pi }
  var radians: Double { math_atan2(sine, cosine) }

  func turned(byRadians angle: Double) -> Direction {
    let (s, c) = (math_sin(angle), math_cos(angle))
    return Direction(sine: sine * c + cosine * s, cosine: cosine * c - sine * s)
  }

  /// The reduced latitude that belongs to this geodetic one: tan b = (1 - f) tan p.
  var reducedLatitude: Direction {
    var reduced = Direction(sine: sine * (1 - WGS84.flattening), cosine: cosine)
    // At a pole the meridian through it still has a longitude.
    reduced.cosine = max(reduced.cosine, 1e-150)
    return reduced
  }
}

import CMath

/// A geodesic seen from the node where it crosses the equator going north: the great circle on the
/// auxiliary sphere that stands for it, and the integrals that lead back to the ellipsoid.
///
/// C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), equations 7 to 9 and 38. The
/// integrands are smooth with an amplitude below 1 %, so that quadrature of 16 points over a half
/// circle is exact to the last digits, and no series has to be written down.
struct GeodesicCurve {
  /// The sine and cosine of the azimuth at the node.
  let node: Direction
  /// k² = e'² cos² of the azimuth at the node.
  private let kSquared: Double

  /// The geodesic that leaves the reduced latitude `start` at `azimuth`.
  init(azimuth: Direction, start: Direction) {
    let sine = azimuth.sine * start.cosine
    let across = azimuth.sine * start.sine
    node = Direction(
      sine: sine,
      cosine: (azimuth.cosine * azimuth.cosine + across * across).squareRoot())
    kSquared = WGS84.secondEccentricitySquared * node.cosine * node.cosine
  }

  /// The three integrals between two angles from the node, in radians.
  struct Integrals {
    /// Of the distance, in polar radii.
    var distance = 0.0
    /// Of the amount by which the longitude lags behind the sphere's, in radians.
    var longitudeLag = 0.0
    /// Of the reduced length.
    var reducedLength = 0.0
  }

  func integrals(from start: Double, to end: Double) -> Integrals {
    let pieceCount = min(max((abs(end - start) / .pi).rounded(.up), 1), Self.pieceCountMax)
    let half = (end - start) / pieceCount / 2
    var sum = Integrals()
    var middle = start + half
    for _ in 0..<Int(pieceCount) {
      for (abscissa, weight) in Self.quadrature {
        add(at: middle + half * abscissa, weight, to: &sum)
        add(at: middle - half * abscissa, weight, to: &sum)
      }
      middle += 2 * half
    }
    sum.distance *= half
    sum.reducedLength *= half
    sum.longitudeLag *= half * WGS84.flattening * node.sine
    return sum
  }

  private func add(at angle: Double, _ weight: Double, to sum: inout Integrals) {
    let sine = math_sin(angle)
    let bulge = kSquared * sine * sine
    let stretch = (1 + bulge).squareRoot()
    sum.distance += weight * stretch
    sum.longitudeLag +=
      weight * (2 - WGS84.flattening) / (1 + (1 - WGS84.flattening) * stretch)
    sum.reducedLength += weight * bulge / stretch
  }

  /// By how much the line element is longer than the sphere's at an angle of this sine.
  func stretch(sine: Double) -> Double { (1 + kSquared * sine * sine).squareRoot() }

  /// Twice round the Earth; what is longer is integrated more coarsely.
  private static let pieceCountMax = 4.0

  /// The positive half of Gauss and Legendre's 16 points (Abramowitz and Stegun, table 25.4).
  private static let quadrature: [(Double, Double)] = [
    (0.095_012_509_837_637_440_185, 0.189_450_610_455_068_496_285),
    (0.281_603_550_779_258_913_230, 0.182_603_415_044_923_588_867),
    (0.458_016_777_657_227_386_342, 0.169_156_519_395_002_538_189),
    (0.617_876_244_402_643_748_447, 0.149_595_988_816_576_732_081),
    (0.755_404_408_355_003_033_895, 0.124_628_971_255_533_872_052),
    (0.865_631_202_387_831_743_880, 0.095_158_511_682_492_784_810),
    (0.944_575_023_073_232_576_078, 0.062_253_523_938_647_892_863),
    (0.989_400_934_991_649_932_596, 0.027_152_459_411_754_094_852),
  ]
}

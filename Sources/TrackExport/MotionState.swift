import CMath
import GNSS

/// What a filter of constant velocity knows at one instant. East and north share one covariance, as
/// the logged accuracies have no direction.
struct MotionState {
  /// Of position and velocity in either direction: m², m²/s and m²/s².
  struct Covariance {
    var position: Double
    var both: Double
    var velocity: Double
  }

  /// Metres, or m/s.
  struct Vector {
    var east: Double
    var north: Double

    static func + (left: Vector, right: Vector) -> Vector {
      Vector(east: left.east + right.east, north: left.north + right.north)
    }

    static func - (left: Vector, right: Vector) -> Vector {
      Vector(east: left.east - right.east, north: left.north - right.north)
    }

    static func * (factor: Double, vector: Vector) -> Vector {
      Vector(east: factor * vector.east, north: factor * vector.north)
    }

    var squaredLength: Double { east * east + north * north }
  }

  var place: Coordinate
  var velocity: Vector
  var covariance: Covariance

  /// After `interval` seconds in which the acceleration was noise of this spectral density (m²/s³).
  func predicted(by interval: Double, density: Double) -> MotionState {
    let (t, p) = (interval, covariance)
    return MotionState(
      place: place.moved(by: t * velocity), velocity: velocity,
      covariance: Covariance(
        position: p.position + 2 * t * p.both + t * t * p.velocity + density * t * t * t / 3,
        both: p.both + t * p.velocity + density * t * t / 2,
        velocity: p.velocity + density * t))
  }

  /// With a measured place, of this variance in either direction.
  func updated(place measured: Coordinate, variance: Double) -> MotionState {
    let p = covariance
    let sum = p.position + variance
    let (gain, velocityGain) = (p.position / sum, p.both / sum)
    let off = place.offset(to: measured)
    return MotionState(
      place: place.moved(by: gain * off), velocity: velocity + velocityGain * off,
      covariance: Covariance(
        position: p.position - gain * p.position, both: p.both - gain * p.both,
        velocity: p.velocity - velocityGain * p.both))
  }

  /// With a measured velocity, of this variance in either direction.
  func updated(velocity measured: Vector, variance: Double) -> MotionState {
    let p = covariance
    let sum = p.velocity + variance
    let (placeGain, gain) = (p.both / sum, p.velocity / sum)
    let off = measured - velocity
    return MotionState(
      place: place.moved(by: placeGain * off), velocity: velocity + gain * off,
      covariance: Covariance(
        position: p.position - placeGain * p.both, both: p.both - placeGain * p.velocity,
        velocity: p.velocity - gain * p.velocity))
  }

  /// This estimate with what was learned later: the Rauch-Tung-Striebel step.
  /// - Parameters:
  ///   - next: The smoothed state one step later.
  ///   - predicted: What this estimate predicted for it.
  ///   - interval: Seconds between the two.
  func smoothed(by next: MotionState, predicted: MotionState, interval: Double) -> MotionState {
    let (p, q) = (covariance, predicted.covariance)
    let determinant = q.position * q.velocity - q.both * q.both
    guard determinant > 0 else { return self }
    // The gain: this covariance, moved by the interval, over the predicted one.
    let (a, b) = (p.position + interval * p.both, p.both)
    let (c, d) = (p.both + interval * p.velocity, p.velocity)
    let g11 = (a * q.velocity - b * q.both) / determinant
    let g12 = (b * q.position - a * q.both) / determinant
    let g21 = (c * q.velocity - d * q.both) / determinant
    let g22 = (d * q.position - c * q.both) / determinant
    let off = predicted.place.offset(to: next.place)
    let change = next.velocity - predicted.velocity
    let e = Covariance(
      position: next.covariance.position - q.position, both: next.covariance.both - q.both,
      velocity: next.covariance.velocity - q.velocity)
    let position = g11 * g11 * e.position + 2 * g11 * g12 * e.both + g12 * g12 * e.velocity
    let cross = g11 * g22 + g12 * g21
    let both = g11 * g21 * e.position + cross * e.both + g12 * g22 * e.velocity
    let speed = g21 * g21 * e.position + 2 * g21 * g22 * e.both + g22 * g22 * e.velocity
    return MotionState(
      place: place.moved(by: g11 * off + g12 * change),
      velocity: velocity + g21 * off + g22 * change,
      covariance: Covariance(
        position: p.position + position, both: p.both + both, velocity: p.velocity + speed))
  }
}

extension Coordinate {
  /// Metres east and north to a place near by, as on the plane that touches the ellipsoid here.
  func offset(to other: Coordinate) -> MotionState.Vector {
    let scale = metresPerDegree
    return MotionState.Vector(
      east: (other.longitude - longitude).remainder(dividingBy: 360) * scale.east,
      north: (other.latitude - latitude) * scale.north)
  }

  fileprivate func moved(by offset: MotionState.Vector) -> Coordinate {
    let scale = metresPerDegree
    return Coordinate(
      latitude: latitude + offset.north / scale.north,
      longitude: (longitude + offset.east / scale.east).remainder(dividingBy: 360))
  }

  /// The ellipsoid's radii of curvature here, along the parallel and the meridian.
  private var metresPerDegree: MotionState.Vector {
    let (sine, cosine) = (math_sin(latitude * .pi / 180), math_cos(latitude * .pi / 180))
    let squaredEccentricity = WGS84.flattening * (2 - WGS84.flattening)
    let stretch = 1 - squaredEccentricity * sine * sine
    let radius = WGS84.equatorialRadius / stretch.squareRoot() * .pi / 180
    return MotionState.Vector(
      east: radius * cosine, north: radius * (1 - squaredEccentricity) / stretch)
  }
}

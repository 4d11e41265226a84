/// From the 68 % that this program keeps all accuracies at to the 95 % that clients of gpsd expect.
/// The errors are taken as normal, and as the same in all horizontal directions.
enum Confidence {
  /// Of one dimension: 1.960 against 0.9945 standard deviations.
  static let linear95 = 1.971
  /// Of a horizontal radius: sqrt(ln 0.05 / ln 0.32), as the radius is Rayleigh-distributed.
  static let radial95 = 1.621
  /// From the horizontal 68 % radius to 95 % of the north or east part alone: 1.960 over
  /// sqrt(-2 ln 0.32) standard deviations.
  static let axis95FromRadius68 = 1.298
}

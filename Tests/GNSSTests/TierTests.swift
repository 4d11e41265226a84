import Testing

@testable import GNSS

@Suite("Tier") struct TierTests {
  /// Core Location, `CLLocationAccuracy` constants.
  static let constants: [(Tier, Int)] = [
    (.bestForNavigation, -2), (.best, -1), (.nearestTenMeters, 10), (.hundredMeters, 100),
    (.kilometer, 1000), (.threeKilometers, 3000),
  ]

  @Test("has Core Location's raw values", arguments: constants)
  func rawValues(tier: Tier, constant: Int) {
    #expect(tier.rawValue == constant)
  }

  @Test("orders the strictest first and reduced last")
  func order() {
    #expect(Tier.allCases.min() == .bestForNavigation)
    #expect(Tier.allCases.max() == .reduced)
  }

  @Test("is found by its name", arguments: Tier.allCases)
  func names(tier: Tier) {
    #expect(Tier(named: tier.name.description) == tier)
    #expect(Tier(named: "nowhere") == nil)
  }

  @Test("activities are found by their names", arguments: Activity.allCases)
  func activityNames(activity: Activity) {
    #expect(Activity(named: activity.name.description) == activity)
  }
}

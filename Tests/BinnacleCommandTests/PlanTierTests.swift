import GNSS
import ReceiverControl
import ReceiverSimulator
import Testing

@testable import BinnacleCommand

/// The daemon's core on a simulated day. The tiers that are awake for long take minutes in a debug
/// build: Scripts/plan-bars has all of them, and a week.
@Suite("Plan of the tiers") struct PlanTierTests {
  /// The share of the energy of an always-on receiver, for an M10; others may need half as much
  /// more.
  static let limits: [(Tier, Double)] = [
    (.kilometer, 0.05), (.threeKilometers, 0.025), (.reduced, 0.015),
  ]
  static let receivers = ["ublox-m10", "ublox-m8", "mtk3339", "l76k"]

  static func demand(_ tier: Tier) -> Demand {
    Demand(tier: tier, distanceFilter: tier.defaultDistanceFilter)
  }

  @Test(
    "each tier keeps its budget and its radius on the built-in day", arguments: receivers, limits)
  func day(name: String, limit: (Tier, Double)) throws {
    let (tier, share) = limit
    let profile = try #require(ReceiverProfile.shipped(name))
    let plan = Plan(profile: profile, journey: .day)
    let always = plan.run(.always).energy
    let result = plan.run(Self.demand(tier))
    #expect(result.energy <= (name == "ublox-m10" ? 1 : 1.5) * share * always)
    let within = result.movingError.share(within: DutyPolicy.policy(for: tier).radius)
    #expect(within >= 0.95, "\(within)")
  }

  @Test("the same seed gives the same result, another one another")
  func deterministic() throws {
    let profile = try #require(ReceiverProfile.shipped("l76k"))
    let plan = Plan(profile: profile, journey: .line, seed: 7)
    let demand = Self.demand(.kilometer)
    #expect(plan.run(demand) == plan.run(demand))
    #expect(plan.run(demand) != Plan(profile: profile, journey: .line, seed: 8).run(demand))
  }

  @Test("the states' times add up, and a battery lasts by their power")
  func sums() throws {
    let profile = try #require(ReceiverProfile.shipped("ublox-m8"))
    let plan = Plan(profile: profile, journey: .day, length: .seconds(7200))
    let result = plan.run(Self.demand(.kilometer))
    #expect(abs(result.seconds.reduce(0, +) - 7200) < 0.01)
    let life = try #require(result.batteryLife(wattHours: 10, board: 0.5))
    #expect(abs(life.inSeconds - 36_000 / (result.power + 0.5)) < 1)
    #expect(result.batteryLife(wattHours: 0) == nil)
  }

  @Test("a receiver that cannot sleep runs through")
  func generic() throws {
    let profile = try #require(ReceiverProfile.shipped("generic-nmea"))
    let plan = Plan(profile: profile, journey: .day, length: .seconds(1800))
    let result = plan.run(Self.demand(.kilometer))
    #expect(result.seconds[PlanResult.State.asleep.rawValue] == 0)
    #expect(result.fixCount > 0)
  }
}

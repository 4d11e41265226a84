import GNSS
import ReceiverControl
import Testing

@testable import ReceiverSimulator

@Suite("Plan") struct PlanTests {
  /// The share of the energy of an always-on receiver, for an M10; others may need half as much
  /// more.
  static let limits: [(Tier, Double)] = [
    (.nearestTenMeters, 0.60), (.hundredMeters, 0.25), (.kilometer, 0.05),
    (.threeKilometers, 0.025), (.reduced, 0.015),
  ]

  /// Joules of a day with the receiver on all the time.
  static let always: [String: Double] = {
    var energies: [String: Double] = [:]
    for name in ["ublox-m10", "ublox-m8", "mtk3339", "l76k"] {
      guard let profile = ReceiverProfile.shipped(name) else { continue }
      energies[name] = Plan(profile: profile, journey: .day).run(.always).energy
    }
    return energies
  }()

  /// Whether days of these seeds keep to this share of an always-on receiver's energy, and 95 % of
  /// the queries while moving find the position within the tier's radius.
  static func expectDay(
    of name: String, _ tier: Tier, within limit: Double, seeds: ClosedRange<UInt64>
  ) throws {
    let profile = try #require(ReceiverProfile.shipped(name))
    let always = try #require(always[name])
    let demand = Demand(tier: tier, distanceFilter: tier.defaultDistanceFilter)
    let radius = DutyPolicy.policy(for: tier).radius
    for seed in seeds {
      let result = Plan(profile: profile, journey: .day, seed: seed).run(.dutyCycle(demand))
      #expect(result.energy <= limit * always, "\(name) \(tier.name) seed \(seed)")
      let within = result.movingError.share(within: radius)
      #expect(within >= 0.95, "\(name) \(tier.name) seed \(seed)")
    }
  }

  @Test("an M10 keeps each tier's budget and radius on the built-in day", arguments: limits)
  func m10(tier: Tier, limit: Double) throws {
    let seeds: ClosedRange<UInt64> = tier < .kilometer ? 1...1 : 1...3
    try Self.expectDay(of: "ublox-m10", tier, within: limit, seeds: seeds)
  }

  @Test("others need half as much more at most", arguments: ["ublox-m8", "mtk3339", "l76k"])
  func others(name: String) throws {
    // The tier that is awake most of the day takes long: Scripts/plan-bars has it too.
    for (tier, limit) in Self.limits where tier > .nearestTenMeters {
      try Self.expectDay(of: name, tier, within: limit * 1.5, seeds: 1...1)
    }
  }

  @Test("the best fixed schedule that is as accurate needs far more")
  func fixed() throws {
    let plan = Plan(profile: try ProfileFiles.profile("ublox-m10"), journey: .day)
    let demand = Demand(tier: .hundredMeters, distanceFilter: 50)
    let adaptive = plan.run(.dutyCycle(demand))
    let fixed = plan.cheapestFixed(reaching: adaptive.movingError.at(0.95))
    #expect(adaptive.energy <= 0.6 * fixed.result.energy)
  }

  @Test("the same seed gives the same result, another one another")
  func deterministic() throws {
    let profile = try ProfileFiles.profile("l76k")
    let demand = Plan.Schedule.dutyCycle(Demand(tier: .kilometer))
    let plan = Plan(profile: profile, journey: .day, seed: 7)
    #expect(plan.run(demand) == plan.run(demand))
    #expect(plan.run(demand) != Plan(profile: profile, journey: .day, seed: 8).run(demand))
  }

  @Test("the states' times add up, and a battery lasts by their power")
  func sums() throws {
    let plan = Plan(
      profile: try ProfileFiles.profile("ublox-m8"), journey: .day, length: .seconds(7200))
    let result = plan.run(.dutyCycle(Demand(tier: .kilometer)))
    #expect(abs(result.seconds.reduce(0, +) - 7200) < 0.01)
    let life = try #require(result.batteryLife(wattHours: 10, board: 0.5))
    #expect(abs(life.inSeconds - 36_000 / (result.power + 0.5)) < 1)
    #expect(result.batteryLife(wattHours: 0) == nil)
  }

  @Test("a receiver that cannot sleep runs through")
  func generic() throws {
    let plan = Plan(
      profile: try ProfileFiles.profile("generic-nmea"), journey: .day, length: .seconds(3600))
    let result = plan.run(.dutyCycle(Demand(tier: .kilometer)))
    #expect(result.seconds[PlanResult.State.asleep.rawValue] == 0)
  }
}

@Suite("Distribution") struct DistributionTests {
  @Test("percentiles are within two percent")
  func percentiles() {
    var samples = Distribution()
    for value in 1...1000 { samples.add(Double(value)) }
    for share in [0.05, 0.5, 0.95] {
      #expect(abs(samples.at(share) - 1000 * share) <= 20 * share + 1)
    }
    #expect(abs(samples.share(within: 250) - 0.25) < 0.01)
    #expect(Distribution().at(0.5) == 0)
    #expect(Distribution().share(within: 1) == 0)
  }
}

@Suite("Receiver profiles") struct ReceiverProfileTests {
  @Test(
    "those that ship are read, and say where their figures come from",
    arguments: ProfileFiles.names)
  func shipped(name: String) throws {
    let profile = try ProfileFiles.profile(name)
    #expect(profile.tracking.value > 0)
    #expect(profile.acquisition.value >= profile.tracking.value)
    #expect(profile.hotStart.value < profile.coldStart.value)
  }

  static let minimal = """
    [receiver]
    name = X
    family = u-blox
    [current]
    supply = 3 V | a
    acquisition = 12 mA | b
    tracking = 9 mA | unverified
    [fix]
    hot = 2 s | c
    warm = 20 s | c
    cold = 30 s | c
    """

  @Test("a figure without a measurement is told")
  func verified() throws {
    let profile = try ReceiverProfile(Self.minimal, id: "x", path: "x")
    #expect(profile.acquisition.isVerified)
    #expect(!profile.tracking.isVerified)
  }

  static let broken: [(String, String, String)] = [
    ("12 mA | b", "12 mA", "x:6: current.acquisition: no source; write"),
    ("12 mA | b", "12 V | b", "x:6: current.acquisition: '12 V' is not a number of mA"),
    ("12 mA | b", "nan mA | b", "x:6: current.acquisition: 'nan mA' is not a number"),
    ("12 mA | b", "12 mA |", "x:6: current.acquisition: the source is empty"),
    ("u-blox", "ubx", "x:3: receiver.family: 'ubx' is no family; there are unknown, u-blox"),
    ("name = X", "nome = X", "x:2: receiver.nome: unknown key"),
    ("name = X", "name", "x:2: 'name': expected key = value"),
    ("hot = 2 s | c", "", "x:11: fix.hot: missing"),
    ("hot =", "warm =", "x:10: fix.warm: given twice"),
  ]

  @Test("errors name the line and what is wrong", arguments: broken)
  func errors(found: String, replacement: String, message: String) {
    let text = Self.minimal.split(separator: found, omittingEmptySubsequences: false)
      .joined(separator: replacement)
    #expect {
      try ReceiverProfile(text, id: "x", path: "x")
    } throws: { error in
      (error as? ProfileError)?.message.hasPrefix(message) ?? false
    }
  }
}

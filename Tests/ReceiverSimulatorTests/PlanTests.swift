import GNSS
import ReceiverControl
import Testing

@testable import ReceiverSimulator

@Suite("Plan") struct PlanTests {
  @Test("always on, it searches once and then tracks all day")
  func always() throws {
    let plan = Plan(profile: try ProfileFiles.profile("ublox-m8"), journey: .line)
    let result = plan.run(.always)
    #expect(result.seconds[PlanResult.State.asleep.rawValue] == 0)
    #expect(result.fixCount == 1 && result.wakeCount == 0)
    #expect(abs(result.seconds.reduce(0, +) - 720) < 0.01)
  }

  @Test("a fix each minute takes far less, and is a minute old at most")
  func fixed() throws {
    let plan = Plan(profile: try ProfileFiles.profile("ublox-m10"), journey: .line)
    let (always, minute) = (plan.run(.always), plan.run(.fixed(.seconds(60))))
    #expect(minute.energy < 0.4 * always.energy)
    #expect(minute.age.at(1) <= 70)
  }

  @Test("the cheapest fixed schedule is as accurate as was asked")
  func cheapest() throws {
    let plan = Plan(profile: try ProfileFiles.profile("ublox-m10"), journey: .line)
    let found = plan.cheapestFixed(reaching: 400)
    #expect(found.result.movingError.at(0.95) <= 400)
    let longer = found.period.map { plan.run(.fixed($0 * 2)) }
    #expect(longer.map { $0.movingError.at(0.95) > 400 } ?? false)
  }

  @Test("the same seed gives the same result, another one another")
  func deterministic() throws {
    let profile = try ProfileFiles.profile("l76k")
    let plan = Plan(profile: profile, journey: .line, seed: 7)
    #expect(plan.run(.fixed(.seconds(30))) == plan.run(.fixed(.seconds(30))))
    #expect(plan.run(.always) != Plan(profile: profile, journey: .line, seed: 8).run(.always))
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

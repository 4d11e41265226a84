import GNSS
import LinuxIO
import ReceiverControl
import ReceiverSimulator

/// What `plan` was asked for, and what came of it.
struct PlanReport {
  /// One tier's line.
  struct Row {
    let tier: Tier
    let result: PlanResult
    /// The cheapest schedule of fixed times that is as accurate, with its period; `nil` for the
    /// period: on all the time.
    var fixed: (period: Duration?, result: PlanResult)?
  }

  let profile: ReceiverProfile
  let journey: SimulatedJourney
  let journeyName: String
  let activity: Activity
  let length: Duration
  let seed: UInt64
  /// Watt-hours, and the watts of everything but the receiver.
  let battery: Double?
  let boardPower: Double
  let always: PlanResult
  private(set) var rows: [Row] = []

  private static let daysMax = 366

  init(_ invocation: Invocation) throws(CommandError) {
    guard invocation.operands.count <= 1 else {
      throw .usage("plan takes one TRACK at most")
    }
    profile = try Self.profile(invocation)
    (journey, journeyName) = try Self.journey(invocation)
    activity = invocation.value("activity").flatMap { Activity(named: $0) } ?? .other
    let days = try invocation.integer("days", in: 1...Self.daysMax)
    length = days.map { .seconds($0 * 86_400) } ?? journey.length
    guard length > .zero else {
      throw .failed("\(journeyName): a track of one instant; give one that lasts")
    }
    seed = UInt64(clamping: try invocation.integer("seed", in: 0...Int.max) ?? 1)
    battery = try invocation.number("battery", in: 0.001...1e6)
    boardPower = try invocation.number("board-power", in: 0...1e4) ?? 0
    let wanted = invocation.allValues("tier").compactMap { Tier(named: $0) }
    let tiers = Tier.allCases.sorted().filter { wanted.isEmpty || wanted.contains($0) }

    let plan = Plan(profile: profile, journey: journey, length: length, seed: seed)
    var progress = PlanProgress(stepCount: 1 + tiers.count)
    always = plan.run(.always)
    for tier in tiers {
      progress.step(to: "\(tier.name)")
      let demand = Demand(
        tier: tier, activity: activity, distanceFilter: tier.defaultDistanceFilter)
      var row = Row(tier: tier, result: plan.run(demand))
      if invocation.has("compare-fixed") {
        row.fixed = plan.cheapestFixed(reaching: row.result.movingError.at(0.95))
      }
      rows.append(row)
    }
    progress.finish()
  }

  private static func profile(_ invocation: Invocation) throws(CommandError) -> ReceiverProfile {
    guard let path = invocation.value("profile") else {
      let name = invocation.value("receiver") ?? "ublox-m10"
      guard let profile = ReceiverProfile.shipped(name) else {
        throw .usage("--receiver \(name): unknown")
      }
      return profile
    }
    guard !invocation.has("receiver") else {
      throw .usage("--profile takes the place of --receiver: give one of them")
    }
    let file = try ReplayFile(path: path)
    var bytes: [UInt8] = []
    var isMore = true
    while isMore, bytes.count <= ReceiverProfile.byteCountMax {
      bytes += file.chunk
      isMore = try file.advance()
    }
    let id = path.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? path
    do throws(ProfileError) {
      return try ReceiverProfile(String(decoding: bytes, as: UTF8.self), id: id, path: path)
    } catch {
      throw .failed(error.message)
    }
  }

  private static func journey(
    _ invocation: Invocation
  ) throws(CommandError) -> (SimulatedJourney, name: String) {
    let speed = try invocation.number("ground-speed", in: 0.01...1e6)
    guard let path = invocation.operands.first else {
      if speed != nil { throw .usage("--ground-speed is for a TRACK, and none is given") }
      return (.day, "the built-in day")
    }
    let (track, _) = try ReplayFile(path: path).track(groundSpeed: speed)
    return (SimulatedJourney(track), path)
  }

  /// The figures of the profile that nobody has measured, and that the plan goes by.
  var unverified: [String] {
    var names: [String] = []
    let figures: [(String, ReceiverProfile.Figure?)] = [
      ("supply", profile.supply), ("acquisition", profile.acquisition),
      ("tracking", profile.tracking), ("cyclic", profile.cyclic),
      (profile.sleep.first?.method.rawValue ?? "", profile.sleep.first?.figure),
      ("hot", profile.hotStart), ("warm", profile.warmStart), ("cold", profile.coldStart),
    ]
    for (name, figure) in figures where figure.map({ !$0.isVerified }) ?? false {
      names.append(name)
    }
    return names
  }

  /// Of an always-on receiver's energy.
  func share(_ result: PlanResult) -> Double {
    always.energy > 0 ? result.energy / always.energy : 0
  }

  /// How long the battery lasts, with the receiver alone and with the board.
  func life(_ result: PlanResult, withBoard: Bool) -> Duration? {
    battery.flatMap { result.batteryLife(wattHours: $0, board: withBoard ? boardPower : 0) }
  }
}

/// Which tier is at work, for a person at a terminal.
private struct PlanProgress {
  private let stepCount: Int
  private var done = 0
  private let isShown = StandardError.isTerminal

  init(stepCount: Int) {
    self.stepCount = stepCount
    if isShown { StandardError.replaceLine("plan: always on, 1 of \(stepCount)") }
  }

  mutating func step(to name: String) {
    done += 1
    if isShown { StandardError.replaceLine("plan: \(name), \(done + 1) of \(stepCount)") }
  }

  func finish() { if isShown { StandardError.replaceLine("") } }
}

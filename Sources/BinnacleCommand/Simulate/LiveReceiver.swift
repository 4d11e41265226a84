import GNSS
import LinuxIO
import ReceiverControl
import ReceiverSimulator

/// The receiver that `simulate --receiver` plays: what it is, and where it is carried.
struct LiveReceiver {
  let kind: SimulatedReceiverKind
  let remark: String
  private let profile: ReceiverProfile
  private let journey: SimulatedJourney
  private let start: ReceiverCommand.Restart
  private let seed: UInt64
  /// What its clock begins with; `nil`: the present.
  private let clockStart: UTCTime?

  static let kindNames = SimulatedReceiverKind.all.map(\.name)
  static let journeyNames = SimulatedJourney.named.map(\.name)
  static let startNames = ["cold", "warm", "hot"]

  init(_ options: SimulateOptions, kind name: String) throws(CommandError) {
    guard let kind = SimulatedReceiverKind.named(name),
      let profile = ReceiverProfile.shipped(kind.profile)
    else {
      throw .usage(
        "--receiver \(name): unknown; it takes \(Self.kindNames.joined(separator: ", "))")
    }
    (self.kind, self.profile, seed) = (kind, profile, options.seed)
    start =
      switch options.start {
      case "warm": .warm
      case "hot": .hot
      default: .cold
      }
    guard let path = options.path else {
      let name = options.journey ?? "still"
      guard let journey = SimulatedJourney.named(name) else {
        throw .usage("--journey \(name): unknown")
      }
      (self.journey, remark, clockStart) = (journey, "journey '\(name)'", nil)
      return
    }
    let file = try ReplayFile(path: path)
    let (track, isCutShort) = try file.track(groundSpeed: options.groundSpeed)
    journey = SimulatedJourney(track)
    remark =
      "\(path): \(Int(journey.length.inSeconds)) s"
      + (isCutShort ? "; the file ends in its middle" : "")
    clockStart = options.stamp == .recorded ? track.start : nil
  }

  func receiver(clockStart now: UTCTime) -> SimulatedReceiver {
    SimulatedReceiver(
      kind, profile: profile, journey: journey, clockStart: clockStart ?? now, start: start,
      seed: seed)
  }

  /// What it does, in words.
  static func state(of receiver: SimulatedReceiver) -> String {
    switch receiver.power {
    case .unpowered: return "without power"
    case .asleep(let method, let until):
      return "asleep (\(method.rawValue))" + (until == nil ? ", without an end" : "")
    case .on: break
    }
    let doing =
      !receiver.isNavigating ? "search stopped" : receiver.hasFix ? "has a fix" : "searching"
    return "\(doing), \(receiver.baud) baud"
  }
}

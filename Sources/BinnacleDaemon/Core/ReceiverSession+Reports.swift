import FixLog
import GNSS
import GNSSWire
import ReceiverControl

/// What the pilot reports, as the log and the journal have it.
extension ReceiverSession {
  func take(_ report: ReceiverPilot.Report) -> [Command] {
    switch report {
    case .identified(let model, _): return identified(model)
    case .passive(let why): return [.say("\(identity): used as it is: \(why.rawValue)")]
    case .configured(let report, let purpose): return configured(report, purpose)
    case .fallingAsleep: return [.slept(true)]
    case .asleep(let method, let span):
      let seconds = max(span.components.seconds, 0)
      return [
        event(.power, "asleep by \(method.rawValue) for \(seconds) s", energy(pilot.meter)),
        .expectGap(.asleep),
        .slept(true),
      ]
    case .awake(let isSelf):
      return [
        event(.power, isSelf ? "awake by itself, before its time" : "awake", energy(pilot.meter)),
        .slept(false),
      ]
    case .restarted: return tell(.power, "it started again by itself, and is configured again")
    case .noFix: return [.searchFailed]
    case .degraded(let degradation): return degraded(degradation)
    case .finished(let order): return [.ordered(order, failure: nil)]
    case .failed(let order, let reason): return [.ordered(order, failure: reason)]
    case .refused(let refusal):
      return [.say("\(identity): bytes were not sent to it: \(refusal.rawValue)")]
    }
  }

  /// Tells what it drew, where that is known: one that never sleeps tells it at no other event.
  func ending(at now: Monotonic) -> [Command] {
    var meter = pilot.meter
    meter.settle(pilot.profile, at: now)
    let fields = energy(meter)
    return isAttached && !fields.isEmpty ? [event(.power, "the daemon ends", fields)] : []
  }

  /// What it drew so far, where a profile tells.
  func energy(_ meter: EnergyMeter) -> [LogEvent.Field] {
    guard pilot.profile != nil, let millijoules = Int64(exactly: (meter.joules * 1000).rounded())
    else { return [] }
    return [.init(.energy, .number(millijoules))]
  }

  private func event(
    _ kind: EventKind, _ reason: String, _ more: [LogEvent.Field] = []
  ) -> Command {
    .log(kind, [.init(.receiver, .text(identity)), .init(.reason, .text(reason))] + more)
  }

  /// To the journal and the log.
  private func tell(_ kind: EventKind, _ reason: String) -> [Command] {
    [.say("\(identity): \(reason)"), event(kind, reason)]
  }

  private func identified(_ model: ReceiverModel) -> [Command] {
    var known = ReceiverIdentity()
    known.family = model.family
    known.model = model.name.isEmpty ? nil : model.name
    known.firmware = model.firmware.isEmpty ? nil : model.firmware
    known.uniqueID = model.uniqueID.isEmpty ? nil : model.uniqueID
    var commands: [Command] = known.model == nil ? [] : [.identified(known)]
    for trait in ReceiverModel.Trait.allCases where model.traits.contains(trait) {
      guard let remark = trait.remark else { continue }
      commands.append(.say("\(identity): \(remark)"))
    }
    return commands
  }

  private func configured(
    _ report: ConfigurationReport, _ purpose: ReceiverPilot.Purpose
  ) -> [Command] {
    var missing: [String] = []
    for line in report.lines where !line.outcome.isGood && !missing.contains(line.name) {
      missing.append(line.name)
    }
    let what = purpose == .restore ? "put back as it was found" : "configured"
    let reason = missing.isEmpty ? what : "\(what), but for: \(missing.joined(separator: ", "))"
    let baud: [LogEvent.Field] =
      report.baud > 0 ? [.init(.baud, .number(Int64(report.baud)))] : []
    let logged = event(.configuration, reason, baud)
    return purpose == .again ? [logged] : [.say("\(identity): \(reason)"), logged]
  }

  private func degraded(_ degradation: ReceiverPilot.Degradation) -> [Command] {
    switch degradation {
    case .silent, .cannotSleep, .doesNotWake, .wakesItself, .losesMemory, .restartsOften:
      return tell(.power, degradation.rawValue)
    // The report of the configuration has the particulars.
    case .incompletelyConfigured: return []
    case .staysSlow, .losesContact: return tell(.configuration, degradation.rawValue)
    }
  }
}

extension ReceiverModel.Trait {
  /// For the journal; `nil` where something else tells it.
  fileprivate var remark: String? {
    switch self {
    case .readOnly: nil
    case .relabelled: "the chip is of an earlier generation than the module's name says"
    case .acknowledgesWithoutEffect: "it acknowledges settings and ignores them"
    case .imitatesUBlox: "it pretends to be a u-blox receiver, and is none"
    }
  }
}

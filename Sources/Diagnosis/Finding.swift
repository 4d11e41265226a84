/// What one check found: the verdict, what it rests on, and what to do.
package struct Finding: Equatable, Sendable {
  package enum Verdict: String, Sendable {
    /// As it should be.
    case ok
    /// Nothing is wrong, but it is worth knowing.
    case note
    /// It works, and will fail or disappoint one day.
    case warning
    /// This keeps fixes from coming, from being kept, or from being served.
    case fault
  }

  /// Which check: a word that stays the same between releases, for programs.
  package var check: String
  package var verdict: Verdict
  /// What was seen, in one line.
  package var evidence: String
  /// A command, or a thing to do with one's hands; `nil` where there is nothing to do.
  package var cure: String?

  package init(_ check: String, _ verdict: Verdict, _ evidence: String, cure: String? = nil) {
    (self.check, self.verdict, self.evidence, self.cure) = (check, verdict, evidence, cure)
  }
}

/// One question about the machine, from power and cable to client.
package struct Check: Sendable {
  package let name: String
  /// The question, as the manual has it.
  package let question: String
  /// Answers it; no finding where it does not apply.
  let find: @Sendable (Evidence) -> [Finding]

  /// All of them, in the order in which the bytes come: what is wrong first is to be cured first.
  package static let all: [Check] = [
    power, usbErrors, usbDriver, brailleDaemon, ports, boardUART, console, bluetooth,
    permissions, holder, modemManager, rules, configuration, service, denied,
    policy, bytes, receiver, antenna, sky, date, sleep,
    storage, medium, ring, clock, gpsdPort, clients,
  ]

  /// Every finding, in order; a check without one is left out.
  package static func findings(on evidence: Evidence) -> [Finding] {
    all.flatMap { $0.find(evidence) }
  }
}

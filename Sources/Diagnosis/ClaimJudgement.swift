import ReceiverControl

/// What speaks against handing a port to the daemon.
package enum ClaimJudgement {
  /// - Returns: Faults, which forbid it, and warnings, each with its cure.
  package static func findings(on port: Evidence.Port, _ evidence: Evidence) -> [Finding] {
    var claimed = port
    claimed.description.isClaimedByRule = true
    var findings = refusal(of: port)
    findings += Check.console(on: claimed, evidence.board)
    findings += Check.bluetooth(on: claimed, evidence)
    return findings + Check.holder(of: claimed)
  }

  /// Ports whose opening does harm, or that no receiver can be behind.
  private static func refusal(of port: Evidence.Port) -> [Finding] {
    switch port.verdict {
    case .ignored(.notReceiver(let name)):
      return [Finding("claim", .fault, "\(port.node): \(name), never opened")]
    case .ignored(.otherInterface(let name, let interface)):
      return [
        Finding(
          "claim", .fault, "\(port.node): \(name) talks on its interface \(interface)",
          cure: "binnacle devices lists that port; it needs no claim")
      ]
    case .claimable(.microcontroller(let vendor)):
      return [
        Finding(
          "claim", .fault, "\(port.node): \(vendor) board: opening the port can restart it",
          cure: "if a receiver is behind it: sudo binnacle claim --force \(port.node)")
      ]
    case .claimable(.modem(let vendor)):
      return [
        Finding(
          "claim", .fault, "\(port.node): \(vendor) modem: bytes written to it are commands",
          cure: "if this is its receiver's port: sudo binnacle claim --force \(port.node)")
      ]
    case .used, .claimable, .ignored: return []
    }
  }
}

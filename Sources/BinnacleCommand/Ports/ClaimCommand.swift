import BinnacleDaemon
import Diagnosis
import LinuxIO
import ReceiverControl

extension Subcommand {
  private static let rootOption = Option(
    "root", "DIR", help: "Write the rule below DIR, such as a mounted card, and leave udev alone")

  static let claim = Subcommand(
    name: "claim", summary: "Let the daemon use a port behind a bridge, or the board's UART",
    operands: "PORT",
    details: """
      Gives a serial port to the daemon for good: from now on, and after every boot and
      replugging. Receivers with a USB id of their own need no claim; 'binnacle devices'
      lists the ports.

      It listens to the port first, at every usual speed, without writing a byte, and
      tells what it heard. It refuses a port where the system itself talks (a console, a
      login prompt, Bluetooth), that another program has open, or whose opening can
      restart a board, and names the command that cures that.

      A claim is one rule in \(ClaimRules.path);
      'binnacle release PORT' takes it back.
      """,
    options: [
      Option("force", help: "Claim it even if something speaks against it, or nothing is heard"),
      Option("no-listen", help: "Do not open the port"),
      Option("seconds", "N", help: "Listen for at most N seconds; default \(listenSeconds)"),
      Option("baud", "RATE", help: "Listen at this speed alone"),
      rootOption,
    ],
    examples: [
      ("sudo binnacle claim /dev/serial0", "A receiver on the header of a Raspberry Pi"),
      ("sudo binnacle claim /dev/ttyUSB0", "One behind a USB-to-serial bridge"),
    ],
    run: { invocation throws(CommandError) in
      let tree = FileTree(root: invocation.value("root") ?? "/")
      let port = try onePort(of: invocation)
      var evidence = try Evidence.ofMachine(in: tree)
      guard var subject = evidence.ports.first(where: { $0.node == port.node }) else {
        throw unknown(port.node)
      }
      var note = port.driver ?? "serial port"
      switch subject.verdict {
      case .used(.receiver), .used(.kernelGNSS):
        StandardError.line("\(port.node): needs no claim: \(subject.verdict.reason)")
        return .ok
      // What is claimed is written again, so that the file is right in any case.
      case .used(.claimedByRule), .used(.claimedByConfiguration): break
      case .ignored(.releasedByRule): try write(tree) { $0.remove(port) }
      case .claimable, .ignored:
        try judge(subject, evidence, isForced: invocation.has("force"))
        if !invocation.has("no-listen") {
          note = try listen(to: &subject, invocation)
        }
      }
      if subject.verdict != .ignored(.releasedByRule) {
        try write(tree) { $0.set(port, isClaimed: true, note: note) }
      }
      reload(port, in: tree)
      StandardError.line("\(port.node): claimed, as \(port.identity)")
      return .ok
    })

  static let release = Subcommand(
    name: "release", summary: "Take a port away from the daemon", operands: "PORT",
    details: """
      Takes back what 'binnacle claim PORT' did. A port that is used without a claim,
      being a receiver's by its USB id, is left alone from then on; 'binnacle claim PORT'
      gives it back.
      """,
    options: [rootOption],
    examples: [("sudo binnacle release /dev/ttyUSB0", "Leave the port to other programs")],
    run: { invocation throws(CommandError) in
      let tree = FileTree(root: invocation.value("root") ?? "/")
      let port = try onePort(of: invocation)
      let verdict = ClaimPolicy().verdict(on: port)
      let isReceiver = if case .used(let use) = verdict { use != .claimedByRule } else { false }
      try write(tree) { rules in
        if isReceiver {
          rules.set(port, isClaimed: false, note: "left alone")
        } else if verdict != .ignored(.releasedByRule) {
          rules.remove(port)
        }
      }
      reload(port, in: tree)
      StandardError.line("\(port.node): released")
      return .ok
    })

  /// All usual speeds, twice: BaudHunt.
  private static let listenSeconds = 20

  /// The port that the operand names, by its node or by any link to it.
  private static func onePort(of invocation: Invocation) throws(CommandError) -> PortDescription {
    guard invocation.operands.count == 1 else {
      throw .usage("one PORT is needed, as /dev/ttyUSB0; 'binnacle devices' lists them")
    }
    let name = invocation.operands[0]
    let ports = PortDescription.all()
    let named = ports.first { ([$0.node, $0.identity] + $0.links).contains(name) }
    if let named { return named }
    // A link that udev did not make, as /dev/serial0 may be.
    let node = realPath(name)
    guard let found = ports.first(where: { $0.node == node }) else { throw unknown(name) }
    return found
  }

  private static func unknown(_ name: String) -> CommandError {
    .nothingFound("\(name): no serial port that udev knows; 'binnacle devices' lists them")
  }

  private static func judge(
    _ port: Evidence.Port, _ evidence: Evidence, isForced: Bool
  ) throws(CommandError) {
    let findings = ClaimJudgement.findings(on: port, evidence)
    for finding in findings {
      let cure = finding.cure.map { "; cure: \($0)" } ?? ""
      StandardError.line("\(finding.verdict.rawValue): \(finding.evidence)\(cure)")
    }
    if findings.contains(where: { $0.verdict == .fault }), !isForced {
      throw .failed("\(port.node): not claimed; --force claims it nevertheless")
    }
  }

  /// - Returns: What to note of the port in the rule file.
  private static func listen(
    to port: inout Evidence.Port, _ invocation: Invocation
  ) throws(CommandError) -> String {
    let seconds = try invocation.integer("seconds", in: 1...600) ?? listenSeconds
    let baud = try invocation.integer("baud", in: 1200...4_000_000)
    StandardError.line("\(port.node): listening for at most \(seconds) s; nothing is written to it")
    let heard = try PortListener.listen(to: port.description, seconds: seconds, baud: baud)
    port.heard = heard
    for finding in Check.bytes(heard, port.node) {
      StandardError.line("\(finding.verdict.rawValue): \(finding.evidence)")
    }
    guard heard.isReceiver || invocation.has("force") else {
      throw .failed(
        "\(port.node): not claimed: no receiver was heard; --force claims it nevertheless")
    }
    let speed = heard.baud.map { " at \($0) baud" } ?? ""
    let name = heard.name.isEmpty ? "a receiver" : heard.name
    return heard.isReceiver
      ? "heard \(name), \(heard.protocols.joined(separator: " and "))\(speed)" : "unheard"
  }

  private static func write(
    _ tree: FileTree, _ change: (inout ClaimRules) -> Void
  ) throws(CommandError) {
    let old = tree.text(ClaimRules.path)
    var rules = ClaimRules(old)
    change(&rules)
    guard rules.text != old else { return }
    do throws(Errno) {
      if let text = rules.text {
        try tree.makeFolder(String(ClaimRules.path.dropLast("/65-binnacle-claims.rules".count)))
        try tree.write(text, to: ClaimRules.path)
      } else {
        try tree.remove(ClaimRules.path)
      }
    } catch .accessDenied {
      throw .failed("\(ClaimRules.path): access denied; run it with sudo")
    } catch {
      throw .failed("\(tree.place(of: ClaimRules.path)): \(error.text)")
    }
  }

  /// Has udev read the rules and go through the port again, which the running daemon sees.
  private static func reload(_ port: PortDescription, in tree: FileTree) {
    guard tree.isRunningMachine else { return }
    let isDone =
      HelperProgram.run(["udevadm", "control", "--reload"]) == 0
      && HelperProgram.run(["udevadm", "trigger", "--settle", "--action=change", port.node]) == 0
    if !isDone {
      StandardError.line("\(port.node): udev could not be told; replug it, or boot again")
    }
  }
}

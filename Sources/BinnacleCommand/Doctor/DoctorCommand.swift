import BinnacleClient
import BinnacleDaemon
import Bytes
import Diagnosis
import LinuxIO
import ReceiverControl

extension Subcommand {
  static let doctor = Subcommand(
    name: "doctor", summary: "Find out why there is no fix, and name the cure",
    details: """
      Asks, in the order in which the bytes come, from power and cable to the clients,
      and tells for each question what was found, on what evidence, and which command or
      which turn of the hand cures it:

        ok       as it should be
        note     nothing is wrong, but it is worth knowing
        warning  it works, and may fail or disappoint one day
        fault    this keeps fixes from coming, from being kept or from being served

      The first fault is the one to cure first. A port that the daemon is to use and that
      nobody has open is listened to for a few seconds; nothing is written to it.

      As root it sees more: the kernel's log, and which program has a port open.

      Exit codes: 0 without a fault, 1 with one.
      """,
    options: [
      Option("json", help: "One JSON object a finding"),
      Option("config", "FILE", help: "Judge by this configuration instead"),
      Option("no-listen", help: "Open no port"),
      Option("socket", "FILE", help: "Ask the daemon at this control socket"),
      Option("quiet", help: "Only warnings and faults"),
    ],
    examples: [
      ("sudo binnacle doctor", "Everything, with causes and cures"),
      ("binnacle doctor --quiet", "What is wrong, if anything"),
    ],
    run: { invocation throws(CommandError) in
      try invocation.expectNoOperands()
      let tree = FileTree()
      var evidence = try Evidence.ofMachine(in: tree, invocation.value("config"))
      if evidence.installation.isRunning {
        let configured = (try? Configuration.read(invocation.value("config")))?.control.socket
        evidence.askDaemon(
          invocation.value("socket") ?? configured ?? BinnacleConnection.defaultPath)
      } else if !invocation.has("no-listen") {
        listen(&evidence)
      }
      let findings = Check.findings(on: evidence)
      var output = OutputBuffer()
      let style: DoctorStyle =
        invocation.has("json")
        ? .json : .text(hasColour: StandardOutput.takesColour)
      for finding in findings
      where !invocation.has("quiet") || [.warning, .fault].contains(finding.verdict) {
        style.write(finding, to: &output)
      }
      do throws(Errno) {
        try StandardOutput.write(output)
      } catch {
        throw .failed("standard output: \(error.text)")
      }
      return findings.contains { $0.verdict == .fault } ? .failed : .ok
    })

  /// As long as a receiver that sends once a second needs to be heard at a speed of several.
  private static let doctorListenSeconds = 6

  /// Listens where the daemon should and does not.
  private static func listen(_ evidence: inout Evidence) {
    for index in evidence.ports.indices {
      let port = evidence.ports[index]
      guard port.verdict.isUsed, !port.isHeldByDaemon, port.holders.isEmpty,
        !evidence.installation.isRunning
      else { continue }
      evidence.ports[index].heard = try? PortListener.listen(
        to: port.description, seconds: doctorListenSeconds, baud: nil)
    }
  }
}

extension Evidence {
  /// The running machine's, with the ports that udev lists.
  static func ofMachine(in tree: FileTree, _ configurationPath: String? = nil)
    throws(CommandError) -> Evidence
  {
    if let configurationPath, !fileExists(configurationPath) {
      throw .failed("\(configurationPath): no such file")
    }
    let devices = UdevDevice.all(subsystems: PortDescription.subsystems)
    let known = devices.compactMap { device in device.node.map { ($0, device.properties) } }
    return Evidence(
      tree: tree, configurationPath: configurationPath ?? Configuration.defaultPath,
      ports: PortDescription.all(), properties: Dictionary(known) { first, _ in first })
  }
}

/// How a finding is printed.
enum DoctorStyle {
  case text(hasColour: Bool)
  case json

  func write(_ finding: Finding, to output: inout OutputBuffer) {
    switch self {
    case .text(let hasColour): writeText(finding, hasColour, to: &output)
    case .json: writeJSON(finding, to: &output)
    }
  }

  private func writeText(_ finding: Finding, _ hasColour: Bool, to output: inout OutputBuffer) {
    let word = finding.verdict.rawValue
    let padding = String(repeating: " ", count: max(0, 8 - word.count))
    let colour =
      switch finding.verdict {
      case .ok: "32"
      case .note: "36"
      case .warning: "33"
      case .fault: "31;1"
      }
    let mark = hasColour ? "\u{1b}[\(colour)m\(word)\u{1b}[0m" : word
    output.append(text: "\(mark)\(padding) \(finding.check): \(finding.evidence)\n")
    if let cure = finding.cure { output.append(text: "         cure: \(cure)\n") }
  }

  private func writeJSON(_ finding: Finding, to output: inout OutputBuffer) {
    output.append("{\"check\":")
    output.append(jsonString: finding.check)
    output.append(",\"verdict\":")
    output.append(jsonString: finding.verdict.rawValue)
    output.append(",\"evidence\":")
    output.append(jsonString: finding.evidence)
    if let cure = finding.cure {
      output.append(",\"cure\":")
      output.append(jsonString: cure)
    }
    output.append("}\n")
  }
}

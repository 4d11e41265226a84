/// What is installed, and whether it runs.
extension Check {
  static let rules = Check(
    name: "rules", question: "Are the udev rules installed?"
  ) { evidence in
    evidence.installation.hasRules
      ? []
      : [
        Finding(
          "rules", .fault, "70-binnacle.rules is not installed: plugging in starts nothing",
          cure: "sudo apt install --reinstall binnacle")
      ]
  }

  static let configuration = Check(
    name: "configuration", question: "Is the configuration valid?"
  ) { evidence in
    evidence.installation.configurationError.map {
      [Finding("configuration", .fault, $0, cure: "correct it, then: binnacle run --check")]
    } ?? []
  }

  static let service = Check(
    name: "service", question: "Does the daemon run?"
  ) { evidence in
    let installation = evidence.installation
    if installation.isRunning { return [Finding("service", .ok, "the daemon runs")] }
    guard installation.hasUnit else {
      return [
        Finding(
          "service", .fault, "the daemon does not run, and binnacle.service is not installed",
          cure: "sudo apt install --reinstall binnacle, or: binnacle run")
      ]
    }
    if installation.isMasked {
      return [
        Finding(
          "service", .fault, "binnacle.service is masked",
          cure: "sudo systemctl unmask binnacle; sudo systemctl start binnacle")
      ]
    }
    // Without a receiver nothing starts it, and nothing has to.
    guard !evidence.usedPorts.isEmpty else {
      return [Finding("service", .note, "the daemon does not run: there is no receiver for it")]
    }
    return [
      Finding(
        "service", .fault, "a receiver is there, but the daemon does not run",
        cure: "systemctl status binnacle tells why; sudo systemctl restart binnacle")
    ]
  }

  static let gpsdPort = Check(
    name: "gpsd-port", question: "Can clients of gpsd connect?"
  ) { evidence in
    guard !evidence.gpsdAddresses.isEmpty else { return [] }
    let port = evidence.gpsdPort
    let listeners = evidence.listeners.filter { $0.port == port }
    if let other = listeners.first(where: { ($0.process ?? "binnacle") != "binnacle" }),
      let name = other.process
    {
      let isGPSD = name == "gpsd" || evidence.installation.isGPSDSocketEnabled
      return [
        Finding(
          "gpsd-port", .fault, "port \(port): \(name) listens there",
          cure: isGPSD
            ? "sudo systemctl disable --now gpsd.socket gpsd.service"
            : "stop it, or set another port in [gpsd] of the configuration")
      ]
    }
    if !evidence.hasIPv6, evidence.gpsdAddresses.allSatisfy({ $0.hasPrefix("[") }) {
      return [
        Finding(
          "gpsd-port", .fault, "[gpsd] listen names IPv6 addresses alone, and the kernel has none",
          cure: "add 127.0.0.1 to listen in [gpsd]")
      ]
    }
    guard evidence.installation.isRunning else { return [] }
    return listeners.isEmpty
      ? [
        Finding(
          "gpsd-port", .fault, "port \(port): nobody listens there",
          cure: "journalctl -u binnacle tells why; sudo systemctl restart binnacle")
      ] : [Finding("gpsd-port", .ok, "port \(port) is served")]
  }

  static let policy = Check(
    name: "policy", question: "Is location switched on?"
  ) { evidence in
    guard let daemon = evidence.daemon, daemon.isLocationOff else { return [] }
    return [
      Finding(
        "policy", .fault, "location is switched off: nobody is served, and nothing is logged",
        cure: "sudo binnacle policy on")
    ]
  }

  static let clients = Check(
    name: "clients", question: "Who uses location, and who may not?"
  ) { evidence in
    guard let daemon = evidence.daemon else { return [] }
    return daemon.refusedClients.map {
      Finding(
        "clients", .note, "the policy denies location to \($0)",
        cure: "sudo binnacle grant \($0) allow")
    } + [Finding("clients", .ok, "\(daemon.clientCount) clients now")]
  }
}

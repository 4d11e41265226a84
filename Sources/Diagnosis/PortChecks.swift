import Bytes
import ReceiverControl

/// The serial ports: which are there, and who else wants them.
extension Check {
  static let ports = Check(
    name: "ports", question: "Is there a port that the daemon uses?"
  ) { evidence in
    let used = evidence.usedPorts
    // A port that the daemon was given by its path may be one that udev knows nothing of; its path
    // is its identity then.
    let told = (evidence.daemon?.receivers ?? []).filter {
      $0.isPresent && $0.messageCount > 0 && $0.identity.hasPrefix("/")
    }
    if used.isEmpty, !told.isEmpty {
      return told.map { Finding("ports", .ok, "\($0.identity): the daemon was told to read it") }
    }
    guard !evidence.ports.isEmpty else {
      return [
        Finding(
          "ports", .fault, "there is no serial port",
          cure: "plug the receiver in, or switch the UART on in the boot configuration")
      ]
    }
    guard used.isEmpty else {
      return used.map { Finding("ports", .ok, "\($0.node): \($0.verdict.reason)") }
    }
    let others = evidence.ports.map { "\($0.node): \($0.verdict.reason)" }
    let claimable = evidence.ports.filter {
      if case .claimable = $0.verdict { true } else { false }
    }
    // Boards and modems seldom hide a receiver; a UART is there whether something is wired to it or
    // not, and a bridge was plugged in.
    let likely = claimable.filter { !$0.verdict.isUnlikely }
    let bridge = likely.first { if case .usb = $0.description.transport { true } else { false } }
    let candidate = bridge ?? likely.first ?? claimable.first
    let cure = candidate ?? evidence.ports.first { $0.verdict == .ignored(.releasedByRule) }
    return [
      Finding(
        "ports", .fault, "no port is used (\(others.joined(separator: "; ")))",
        cure: cure.map { "sudo binnacle claim \($0.node)" })
    ]
  }

  static let boardUART = Check(
    name: "uart", question: "Is the board's UART switched on?"
  ) { evidence in
    let board = evidence.board
    guard board.isRaspberryPi, let lines = board.bootConfiguration else { return [] }
    guard !evidence.ports.contains(where: { $0.description.transport == .uart }) else { return [] }
    let isOn = lines.contains { ["enable_uart=1", "dtparam=uart0=on"].contains($0) }
    // On a board without a receiver on USB a UART is what the receiver must be on.
    let verdict: Finding.Verdict = evidence.ports.isEmpty ? .fault : .note
    return isOn
      ? [
        Finding(
          "uart", verdict,
          "the UART is switched on in \(board.bootConfigurationPath) but not there",
          cure: "sudo reboot")
      ]
      : [
        Finding(
          "uart", verdict, "the UART is not switched on in \(board.bootConfigurationPath)",
          cure: "echo enable_uart=1 | sudo tee -a \(board.bootConfigurationPath); sudo reboot")
      ]
  }

  static let console = Check(
    name: "console", question: "Does the system itself talk on the receiver's UART?"
  ) { evidence in
    evidence.ports.flatMap { console(on: $0, evidence.board) }
  }

  /// A console on a port that nobody claimed is no fault: that port is not used.
  static func console(on port: Evidence.Port, _ board: Evidence.Board) -> [Finding] {
    let isWanted = port.description.isClaimedByRule || port.verdict.isUsed
    let verdict: Finding.Verdict = isWanted ? .fault : .note
    let login = "sudo systemctl disable --now serial-getty@\(port.description.name).service"
    switch port.description.systemUse {
    case .kernelConsole?:
      return [
        Finding(
          "console", verdict, "\(port.node): the kernel's console is here",
          cure: board.nextCommandLine == nil
            ? "remove console=... from the kernel's command line and reboot"
            : "remove console=serial0,115200 from \(board.commandLinePath); \(login); sudo reboot")
      ]
    case .login?:
      return [
        Finding("console", verdict, "\(port.node): a login prompt is here", cure: login)
      ]
    case nil: break
    }
    guard port.description.transport == .uart, let line = board.nextCommandLine else { return [] }
    let words = line.split { $0 == " " || $0 == "\n" }
    let names =
      [port.description.name] + (board.serial0 == port.description.name ? ["serial0"] : [])
    for name in names where words.contains(where: { $0.hasPrefix("console=\(name)") }) {
      return [
        Finding(
          "console", isWanted ? .fault : .note,
          "\(port.node): from the next boot on the kernel's console (console=\(name) in "
            + "\(board.commandLinePath))",
          cure: "remove console=\(name),... from \(board.commandLinePath)")
      ]
    }
    return []
  }

  static let bluetooth = Check(
    name: "bluetooth", question: "Does Bluetooth want the receiver's UART?"
  ) { evidence in
    evidence.ports.flatMap { bluetooth(on: $0, evidence) }
  }

  /// The programs that tie a UART to Bluetooth's chip.
  private static let attachers: Set<String> = ["hciattach", "btattach"]

  static func bluetooth(on port: Evidence.Port, _ evidence: Evidence) -> [Finding] {
    guard port.description.transport == .uart else { return [] }
    let board = evidence.board
    let path = board.bootConfigurationPath
    let cure =
      "echo dtoverlay=disable-bt | sudo tee -a \(path); sudo systemctl disable hciuart; sudo reboot"
    if let holder = port.holders.first(where: { attachers.contains($0.name) }) {
      return [
        Finding(
          "bluetooth", .fault, "\(port.node): \(holder.name) has it for the Bluetooth chip",
          cure: cure)
      ]
    }
    // The mini-UART, whose clock moves with the core's.
    guard board.isRaspberryPi, port.verdict.isUsed, port.description.name == "ttyS0" else {
      return []
    }
    let frequencyIsFixed = board.bootConfiguration?.contains {
      $0.hasPrefix("core_freq=") || $0 == "enable_uart=1"
    }
    guard frequencyIsFixed != true || board.bluetoothUART != nil else { return [] }
    return [
      Finding(
        "bluetooth", .warning,
        "\(port.node): this is the mini-UART, which loses bytes above 38400 baud; "
          + "Bluetooth has the good one",
        cure: cure)
    ]
  }
}

import Bytes

/// What comes from the receiver: bytes, then messages, then satellites, then a date.
extension Check {
  static let bytes = Check(
    name: "bytes", question: "Do bytes come, at the right speed?"
  ) { evidence in
    let heard = evidence.ports.compactMap { port in port.heard.map { bytes($0, port.node) } }
    guard let daemon = evidence.daemon else { return heard.flatMap { $0 } }
    return daemon.receivers.filter(\.isPresent).flatMap { receiver in
      var heard = Evidence.Heard()
      (heard.byteCount, heard.messageCount) = (receiver.byteCount, receiver.messageCount)
      (heard.frameErrorCount, heard.overrunCount) = (
        receiver.frameErrorCount, receiver.overrunCount
      )
      heard.seconds = receiver.openSeconds
      return bytes(heard, receiver.identity)
    }
  }

  /// Beyond this share of bytes with a bad stop bit the line is noisy rather than unlucky.
  private static let frameErrorShareMax = 0.01

  /// Judges what listening to one port told.
  package static func bytes(_ heard: Evidence.Heard, _ place: String) -> [Finding] {
    guard heard.byteCount > 0 else {
      return [
        Finding(
          "bytes", .fault, "\(place): not one byte in \(heard.seconds) s",
          cure: "check power, ground, and that the receiver's TX goes to the board's RX; "
            + "then plug it in again")
      ]
    }
    guard heard.messageCount > 0 else {
      let isNoise = (heard.frameErrorCount ?? 0) > 0
      return [
        Finding(
          "bytes", .fault,
          isNoise
            ? "\(place): \(heard.byteCount) bytes with framing errors, no message at any speed"
            : "\(place): \(heard.byteCount) bytes, but no message of a receiver",
          cure: isNoise
            ? "set baud in [receiver ...] of the configuration, or check ground and 3.3 V levels"
            : "if it is no receiver: sudo binnacle release \(place)")
      ]
    }
    if let lost = heard.overrunCount, lost > 0 {
      return [
        Finding(
          "bytes", .warning, "\(place): \(lost) bytes lost in the UART",
          cure: "lower the receiver's speed, or use the UART that is not the mini-UART")
      ]
    }
    if let errors = heard.frameErrorCount,
      Double(errors) > Double(heard.byteCount) * frameErrorShareMax
    {
      return [
        Finding(
          "bytes", .warning, "\(place): \(errors) framing errors in \(heard.byteCount) bytes",
          cure: "shorten the cable, connect ground, keep it away from transmitters")
      ]
    }
    let speed = heard.baud.map { " at \($0) baud" } ?? ""
    let kinds = heard.protocols.isEmpty ? "" : " of " + heard.protocols.joined(separator: " and ")
    return [Finding("bytes", .ok, "\(place): \(heard.messageCount) messages\(kinds)\(speed)")]
  }

  static let receiver = Check(
    name: "receiver", question: "Which receiver is it, and with which firmware?"
  ) { evidence in
    let told = evidence.daemon?.receivers.filter { $0.messageCount > 0 }.map { receiver in
      (receiver.identity, [receiver.name, receiver.firmware].filter { !$0.isEmpty })
    }
    let heard = evidence.ports.compactMap { port in
      port.heard.flatMap { $0.isReceiver ? (port.node, $0.name.isEmpty ? [] : [$0.name]) : nil }
    }
    return (told ?? heard).map { place, names in
      names.isEmpty
        ? Finding("receiver", .note, "\(place): does not say what it is; used as it is")
        : Finding("receiver", .ok, "\(place): \(names.joined(separator: ", firmware "))")
    }
  }

  static let antenna = Check(
    name: "antenna", question: "Does the receiver complain of its antenna?"
  ) { evidence in
    ready(evidence).compactMap { receiver in
      switch receiver.antenna {
      case nil: nil
      case .ok: Finding("antenna", .ok, "\(receiver.identity): antenna ok")
      case .open where receiver.hasFix:
        Finding(
          "antenna", .note, "\(receiver.identity): the antenna takes no current, as a passive one")
      case .open:
        Finding(
          "antenna", .fault,
          "\(receiver.identity): the antenna takes no current: none is connected",
          cure: "screw the antenna on, check its cable (a passive antenna is reported so, too)")
      case .short:
        Finding(
          "antenna", .fault, "\(receiver.identity): short circuit in the antenna or its cable",
          cure: "replace the antenna or its cable; then unplug the receiver and plug it in again")
      }
    }
  }

  /// Signals weaker than this give no fix (dB-Hz); outside they reach 40 and more.
  private static let usableSignal = 25.0
  /// A cold start under open sky takes 30 s to 60 s; until then no sky is no finding (s).
  private static let coldStartSeconds = 90

  static let sky = Check(
    name: "sky", question: "Are satellites heard?"
  ) { evidence in
    ready(evidence).map { sky(of: $0) }
  }

  private static func sky(of receiver: Evidence.ReceiverState) -> Finding {
    let place = receiver.identity
    if receiver.isJammed {
      return Finding(
        "sky", .warning, "\(place): the receiver reports jamming",
        cure: "move it away from USB 3 plugs, cameras, HDMI cables and transmitters")
    }
    let signal = receiver.strongestSignal.map { "the strongest \(Int($0)) dB-Hz" } ?? "no signal"
    if receiver.hasFix {
      let seen = receiver.reportsSatellites ? ", \(signal)" : ""
      let count = receiver.satelliteCount > 0 ? ", \(receiver.satelliteCount) satellites" : ""
      return Finding("sky", .ok, "\(place): fix\(count)\(seen)")
    }
    guard receiver.reportsSatellites else {
      return Finding("sky", .note, "\(place): no fix, and it reports no satellites")
    }
    guard receiver.openSeconds >= coldStartSeconds else {
      return Finding(
        "sky", .note, "\(place): no fix yet, after \(receiver.openSeconds) s; \(signal)")
    }
    guard let strongest = receiver.strongestSignal else {
      return Finding(
        "sky", .fault, "\(place): not one satellite in \(receiver.openSeconds) s: no antenna",
        cure: "check the antenna and its plug; it must be the receiver's, not the radio's")
    }
    return strongest < usableSignal
      ? Finding(
        "sky", .fault, "\(place): weak signals, \(signal): no sky",
        cure: "put the antenna where it sees the sky; metal and coated glass stop the signals")
      : Finding(
        "sky", .warning, "\(place): no fix after \(receiver.openSeconds) s, \(signal)",
        cure: "wait some minutes; give the antenna more of the sky")
  }

  static let date = Check(
    name: "date", question: "Is the date known?"
  ) { evidence in
    ready(evidence).filter { !$0.isDated }.map { receiver in
      Finding(
        "date", receiver.openSeconds >= coldStartSeconds ? .warning : .note,
        "\(receiver.identity): tells the time but no date yet",
        cure: "let it send RMC or ZDA: binnacle receiver configure")
    }
  }

  static let sleep = Check(
    name: "sleep", question: "Does the receiver sleep, and why?"
  ) { evidence in
    (evidence.daemon?.receivers ?? []).compactMap { receiver in
      receiver.sleepReason.map { Finding("sleep", .note, "\(receiver.identity): sleeps: \($0)") }
    }
  }

  /// The receivers that talk and are awake: of others there is nothing more to say.
  private static func ready(_ evidence: Evidence) -> [Evidence.ReceiverState] {
    (evidence.daemon?.receivers ?? []).filter { $0.messageCount > 0 && $0.sleepReason == nil }
  }
}

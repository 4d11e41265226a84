import Bytes
import GNSS
import GNSSWire

/// What the text families share: sentences composed with their checksum.
extension ReceiverCommand {
  /// A sentence of the text between `$` and `*`.
  static func sentence(_ text: String, answer: Answer) -> ReceiverCommand {
    var buffer = OutputBuffer(capacity: text.utf8.count + 6)
    buffer.appendSentence("") { $0.append(text: text) }
    return ReceiverCommand(buffer.bytes, answer: answer)
  }

  static func milliseconds(_ span: Duration, in range: ClosedRange<Int64>) -> Int64 {
    min(max(span.wholeMilliseconds, range.lowerBound), range.upperBound)
  }

  static func seconds(_ span: Duration, in range: ClosedRange<Int64>) -> Int64 {
    min(max(span.components.seconds, range.lowerBound), range.upperBound)
  }
}

/// Commands of the MediaTek 33xx family (PMTK). Sources: MTK NMEA command manual; Quectel L76
/// protocol specification.
package enum MTK {
  private static func command(_ number: Int, _ fields: String = "") -> ReceiverCommand {
    .sentence("PMTK\(digits(number))\(fields)", answer: .mtk(number))
  }

  private static func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 3 - text.count)) + text
  }

  package static let queryRelease = ReceiverCommand.sentence(
    "PMTK605", answer: .sentence("PMTK705,"))
  package static let queryQuectelVersion = ReceiverCommand.sentence(
    "PQVERNO,R", answer: .sentence("PQVERNO,R,"))

  /// RMC, GGA and GSA each epoch, GST and ZDA too, GSV every fifth; GLL and VTG say nothing new.
  package static let sentences = command(314, ",0,1,0,1,1,5,0,1,0,0,0,0,0,0,0,0,0,1,0")
  /// The sentences of a receiver that nobody has configured.
  package static let defaultSentences = command(314, ",-1")

  /// The time between fixes, 100 ms to 10 s.
  package static func interval(_ span: Duration) -> ReceiverCommand {
    command(220, ",\(ReceiverCommand.milliseconds(span, in: 100...10_000))")
  }

  /// Takes effect at once and is not acknowledged at the old rate.
  package static func baud(_ rate: Int) -> ReceiverCommand {
    .sentence("PMTK251,\(rate)", answer: .none)
  }

  /// The satellite systems to search; GPS is always among them. Restarts the search.
  package static func constellations(_ wanted: Set<Constellation>) -> ReceiverCommand {
    let flags = [Constellation.glonass, .galileo].map { wanted.contains($0) ? "1" : "0" }
    return command(353, ",1,\(flags.joined(separator: ",")),0,\(wanted.contains(.beidou) ? 1 : 0)")
  }

  /// 0 normal, 1 fitness, 2 aviation.
  package static func dynamics(for activity: Activity) -> ReceiverCommand {
    switch activity {
    case .fitness: command(886, ",1")
    case .airborne: command(886, ",2")
    case .other, .otherNavigation, .automotiveNavigation: command(886, ",0")
    }
  }

  /// Lets a slow receiver move: without this its position is held below a speed.
  package static let noStaticNavigation = command(386, ",0")
  /// Predicts ephemerides for three days; works at 1 Hz and with a backup supply only.
  package static let easy = command(869, ",1,1")
  package static let queryEasy = ReceiverCommand.sentence(
    "PMTK869,0", answer: .sentence("PMTK869,2"))

  package static func restart(_ kind: ReceiverCommand.Restart) -> ReceiverCommand {
    switch kind {
    case .hot: .sentence("PMTK101", answer: .none)
    case .warm: .sentence("PMTK102", answer: .none)
    case .cold: .sentence("PMTK103", answer: .none)
    }
  }

  /// Standby until a byte comes in. (The backup mode of PMTK225,4 only a pin can end, and PMTK291
  /// froze receivers: neither is here.)
  package static let standby = command(161, ",0")
  /// 1 Hz at a lower power, less accurate; MT3333.
  package static func lowPower(_ isOn: Bool) -> ReceiverCommand { command(262, isOn ? ",3" : ",0") }
}

/// Commands of the Airoha AG33xx family (PAIR). Source: Quectel LC29H and LC76G protocol
/// specifications, as quoted by public drivers.
package enum Airoha {
  private static func command(_ number: Int, _ fields: String = "") -> ReceiverCommand {
    .sentence("PAIR\(digits(number))\(fields)", answer: .pair(number))
  }

  private static func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 3 - text.count)) + text
  }

  package static let queryVersion = ReceiverCommand.sentence(
    "PAIR021", answer: .sentence("PAIR021,"))
  /// Asks for the version the older way.
  package static let queryFirmware = ReceiverCommand.sentence(
    "PAIR020", answer: .sentence("PAIR020,"))
  /// Keeps the core awake so that commands are heard; sent in a burst to a sleeping one.
  package static let keepAwake = command(382, ",1")
  package static let powerOn = command(2)
  package static let powerOff = command(3)

  /// A sentence type of PAIR062.
  package enum Output: Int, CaseIterable, Sendable {
    case gga = 0
    case gll = 1
    case gsa = 2
    case gsv = 3
    case rmc = 4
    case vtg = 5
    case zda = 6
    case gst = 8
  }

  package static func sentence(_ output: Output, every epochs: Int) -> ReceiverCommand {
    command(62, ",\(output.rawValue),\(min(max(epochs, 0), 20))")
  }

  /// The time between fixes, 100 ms to 1 s.
  package static func interval(_ span: Duration) -> ReceiverCommand {
    command(50, ",\(ReceiverCommand.milliseconds(span, in: 100...1000))")
  }

  /// Restarts the search.
  package static func constellations(_ wanted: Set<Constellation>) -> ReceiverCommand {
    let order: [Constellation] = [.gps, .glonass, .galileo, .beidou, .qzss, .navic]
    let flags = order.map { wanted.contains($0) || $0 == .gps ? "1" : "0" }
    return command(66, "," + flags.joined(separator: ","))
  }

  /// 0 normal, 1 fitness.
  package static func dynamics(for activity: Activity) -> ReceiverCommand {
    command(80, activity == .fitness ? ",1" : ",0")
  }

  package static let noStaticNavigation = command(70, ",0")
  package static let easy = command(490, ",1")
  /// Writes the navigation data to the receiver's flash; only before a supply cut.
  package static let saveNavigation = command(511)

  package static func restart(_ kind: ReceiverCommand.Restart) -> ReceiverCommand {
    switch kind {
    case .hot: command(4)
    case .warm: command(5)
    case .cold: command(6)
    }
  }

  /// Sleeps with the clock running, 10 s to 720 days. Nothing on the port wakes it: it takes a pin,
  /// or the time.
  package static func backup(_ span: Duration, wakePin: WakePin) -> ReceiverCommand {
    command(650, ",\(ReceiverCommand.seconds(span, in: 10...62_208_000))")
  }
}

/// Proof that a pin that wakes the receiver is wired: made from the configuration only.
package struct WakePin: Equatable, Sendable {
  /// The line's name, as the kernel has it.
  package let line: String
  package init(line: String) { self.line = line }
}

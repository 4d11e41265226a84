import GNSSWire
import ReceiverControl

/// A kind of simulated receiver, as data: what it answers and what it does wrong.
package struct SimulatedReceiverKind: Equatable, Sendable {
  /// As in `simulate --receiver`.
  package let name: String
  package let family: ChipFamily
  /// The profile that its currents and fix times come from.
  package let profile: String
  package let baud: Int
  package var isNativeUSB = false
  /// UBX-MON-VER: software, hardware and extensions.
  package var version: (software: String, hardware: String, extensions: [String])?
  /// What it says it is, in its family's answers.
  package var model = ""
  package var firmware = ""
  package var faults: Set<Fault> = []

  /// What clones and bad wiring do.
  package enum Fault: Hashable, Sendable {
    /// Its input is not connected.
    case deaf
    /// It acknowledges settings and ignores them.
    case withoutEffect
    /// It answers UBX-MON-VER with a frame that is too short.
    case imitatesUBlox
    /// Nothing on its input wakes it.
    case wakesByTimerOnly
    /// It ignores the order to sleep.
    case neverSleeps
    /// It wakes by itself after as many seconds.
    case wakesItself(Int)
    /// It does not know this key, and refuses a message with it.
    case lacksKey(UInt32)
    /// Every so many acknowledgements are lost.
    case losesAcknowledgement(every: Int)
    /// It takes no other rate than its first.
    case cannotChangeBaud
  }

  package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  package init(
    _ name: String, _ family: ChipFamily, profile: String, baud: Int, model: String = "",
    firmware: String = "", faults: Set<Fault> = []
  ) {
    self.name = name
    self.family = family
    self.profile = profile
    self.baud = baud
    self.model = model
    self.firmware = firmware
    self.faults = faults
  }

  private static func ublox(
    _ name: String, profile: String, baud: Int, _ software: String, _ hardware: String,
    _ extensions: [String], faults: Set<Fault> = []
  ) -> SimulatedReceiverKind {
    var kind = SimulatedReceiverKind(name, .ublox, profile: profile, baud: baud, faults: faults)
    kind.version = (software, hardware, extensions)
    return kind
  }

  /// Those that can be chosen by name.
  package static let all = [
    ublox(
      "ublox-m10", profile: "ublox-m10", baud: 9600, "ROM SPG 5.10 (7b202e)", "000A0000",
      ["FWVER=SPG 5.10", "PROTVER=34.10", "MOD=MAX-M10S", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]),
    ublox(
      "ublox-m8", profile: "ublox-m8", baud: 9600, "EXT CORE 3.01 (107888)", "00080000",
      [
        "ROM BASE 2.01 (75331)", "FWVER=SPG 3.01", "PROTVER=18.00", "MOD=NEO-M8N-0", "FIS=0xEF4015",
      ]),
    ublox(
      "ublox-f9", profile: "ublox-f9", baud: 38_400, "EXT CORE 1.00 (f10c36)", "00190000",
      ["ROM BASE 0x118B2060", "FWVER=HPG 1.32", "PROTVER=27.31", "MOD=ZED-F9P"]),
    SimulatedReceiverKind(
      "mtk3339", .mediatek, profile: "mtk3339", baud: 9600, model: "PA6H",
      firmware: "AXN_2.31_3339_13101700"),
    SimulatedReceiverKind(
      "l76k", .casic, profile: "l76k", baud: 9600, model: "L76K", firmware: "URANUS5,V5.3.0.0"),
    SimulatedReceiverKind(
      "lc29h", .airoha, profile: "lc29h", baud: 115_200, model: "AG3335A_V2.5.0",
      firmware: "LC29HDANR11A03S"),
    SimulatedReceiverKind(
      "mtk3333", .mediatek, profile: "mtk3333", baud: 9600, model: "MT3333",
      firmware: "AXN_3.84_3333_16122710"),
    SimulatedReceiverKind(
      "teseo-liv3f", .teseo, profile: "teseo-liv3f", baud: 9600, model: "Teseo",
      firmware: "GNSSLIB_8.4.8.15_ARM BINIMG_4.5.8.4_ARM"),
    SimulatedReceiverKind(
      "unicore", .unicore, profile: "generic-nmea", baud: 115_200, model: "UC6580",
      firmware: "R3.1.0.0Build5134"),
    SimulatedReceiverKind(
      "allystar", .allystar, profile: "generic-nmea", baud: 115_200, model: "HD8040",
      firmware: "3.018.e47e27d"),
    SimulatedReceiverKind("skytraq", .skytraq, profile: "generic-nmea", baud: 9600),
    SimulatedReceiverKind("sirf", .sirf, profile: "generic-nmea", baud: 4800),
    SimulatedReceiverKind(
      "generic-nmea", .unknown, profile: "generic-nmea", baud: 9600, faults: [.deaf]),
    ublox(
      "clone-relabelled", profile: "ublox-m8", baud: 9600, "1.00 (59842)", "00070000",
      ["PROTVER 14.00", "MOD=NEO-M8N-0", "GPS;SBAS;GLO;QZSS"]),
    ublox(
      "clone-without-effect", profile: "ublox-m8", baud: 9600, "ROM CORE 3.01 (107888)",
      "00080000", ["FWVER=SPG 3.01", "PROTVER=18.00"], faults: [.withoutEffect]),
    SimulatedReceiverKind(
      "clone-atgm336h", .casic, profile: "l76k", baud: 9600, model: "ATGM336H,0006",
      firmware: "URANUS5,V5.1.0.0", faults: [.imitatesUBlox]),
    SimulatedReceiverKind(
      "clone-read-only", .ublox, profile: "ublox-m8", baud: 9600, faults: [.deaf]),
  ]

  package static func named(_ name: String) -> SimulatedReceiverKind? {
    all.first { $0.name == name }
  }

  /// The one that these figures are of; for figures of one's own, the first of the family.
  package static func playing(_ profile: ReceiverProfile) -> SimulatedReceiverKind {
    named(profile.id) ?? all.first { $0.family == profile.family } ?? all[0]
  }
}

import GNSS
import GNSSWire

/// One question of the sweep: what is asked, how long its answer may take, and how often it is
/// asked.
package struct Probe: Equatable, Sendable {
  package let family: ChipFamily
  package let command: ReceiverCommand
  package let patience: Duration
  package let tries: Int

  private init(
    _ family: ChipFamily, _ command: ReceiverCommand, milliseconds: Int, tries: Int = 1
  ) {
    self.family = family
    self.command = command
    patience = .milliseconds(milliseconds)
    self.tries = tries
  }

  /// The sweep in its order. None of these changes a receiver's state, of its own family or
  /// another; SiRF has no such question and is not in it.
  package static let sweep = [
    Probe(.ublox, .poll(.monVER), milliseconds: 1500, tries: 2),
    Probe(.mediatek, MTK.queryRelease, milliseconds: 900),
    Probe(.mediatek, MTK.queryQuectelVersion, milliseconds: 900),
    Probe(.airoha, Airoha.queryFirmware, milliseconds: 1000),
    Probe(.airoha, Airoha.queryVersion, milliseconds: 1000),
    Probe(.quectel, Quectel.queryVersion, milliseconds: 500),
    Probe(.quectel, Quectel.queryOldVersion, milliseconds: 500),
    Probe(.casic, CASIC.queryFirmware, milliseconds: 700),
    Probe(.casic, CASIC.queryHardware, milliseconds: 700),
    Probe(.casic, CASIC.pollVersion, milliseconds: 500),
    Probe(.unicore, OtherFamilies.unicore, milliseconds: 500),
    Probe(.allystar, OtherFamilies.allystar, milliseconds: 500),
    Probe(.teseo, Teseo.queryVersion, milliseconds: 1000),
    Probe(.skytraq, OtherFamilies.skyTraq, milliseconds: 1000),
  ]

  /// The patience at this rate: at 9600 baud and below an answer waits behind the sentences.
  package func patience(atBaud baud: Int) -> Duration {
    baud > 0 && baud <= 9600 && family == .ublox ? .milliseconds(2500) : patience
  }

  /// The sweep with these families' questions first, each in its own order.
  package static func sweep(startingWith first: [ChipFamily]) -> [Probe] {
    let hinted = first.flatMap { family in sweep.filter { $0.family == family } }
    return hinted + sweep.filter { !first.contains($0.family) }
  }
}

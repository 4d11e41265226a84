import GNSSWire
import Testing

@testable import ReceiverControl

@Suite("UBX commands") struct UBXCommandTests {
  /// Frames of the manufacturer's protocol specifications, with checksums recomputed below.
  static let frames: [(ReceiverCommand, String)] = [
    (.poll(.monVER), "B5 62 0A 04 00 00 0E 34"),
    (.poll(.secUNIQID), "B5 62 27 03 00 00 2A A5"),
    (.poll(.monGNSS), "B5 62 0A 28 00 00 32 A0"),
    (.pollPort(.uart1), "B5 62 06 00 01 00 01 08 22"),
    (
      .ubxSleep(.seconds(60), form: .short),
      "B5 62 02 41 08 00 60 EA 00 00 02 00 00 00 97 A1"
    ),
    (
      .ubxSleep(.seconds(60), form: .long, wake: .uart),
      "B5 62 02 41 10 00 00 00 00 00 60 EA 00 00 06 00 00 00 08 00 00 00 AB F9"
    ),
    (.ubxStop, "B5 62 06 04 04 00 00 00 08 00 16 74"),
    (.ubxStart, "B5 62 06 04 04 00 00 00 09 00 17 76"),
    (.ubxRestart(.hot), "B5 62 06 04 04 00 00 00 02 00 10 68"),
    (
      .configure(.cfgRXM, payload: UBXLegacy.power(isSaving: false)),
      "B5 62 06 11 02 00 08 00 21 91"
    ),
    (
      .configure(.cfgRXM, payload: UBXLegacy.power(isSaving: true)),
      "B5 62 06 11 02 00 08 01 22 92"
    ),
    (
      .set([UBXSetting(.uart1OutNMEA, false)], layers: [.ram, .batteryBacked]),
      "B5 62 06 8A 09 00 00 03 00 00 02 00 74 10 00 22 C7"
    ),
    (
      .set(
        [
          UBXSetting(.output(.navPVT, on: .uart1), 1), UBXSetting(.output(.navEOE, on: .uart1), 1),
          UBXSetting(.output(.navDOP, on: .uart1), 1),
        ], layers: [.ram, .batteryBacked]),
      """
      B5 62 06 8A 13 00 00 03 00 00 07 00 91 20 01 60 01 91 20 01 39 00 91 20 01 5D C4
      """
    ),
    (
      .set([UBXSetting(.rateMeasure, 1000)], layers: .ram),
      "B5 62 06 8A 0A 00 00 01 00 00 01 00 21 30 E8 03 D8 C4"
    ),
    (
      .set([UBXSetting(.uart1BaudRate, 115_200)], layers: .ram),
      "B5 62 06 8A 0C 00 00 01 00 00 01 00 52 40 00 C2 01 00 F3 A5"
    ),
    (
      .set([UBXSetting(.powerOperateMode, 0)], layers: [.ram, .batteryBacked]),
      "B5 62 06 8A 09 00 00 03 00 00 01 00 D0 20 00 8D F6"
    ),
    (
      .set([UBXSetting(.powerOperateMode, 2)], layers: [.ram, .batteryBacked]),
      "B5 62 06 8A 09 00 00 03 00 00 01 00 D0 20 02 8F F8"
    ),
    (
      .configure(.cfgPRT, payload: UBXLegacy.port(.uart1, baud: 115_200, nmeaOut: false)),
      """
      B5 62 06 00 14 00 01 00 00 00 D0 08 00 00 00 C2 01 00 03 00 01 00 00 00 00 00 BA 52
      """
    ),
    (.poll(.mgaDBD), "B5 62 13 80 00 00 93 CC"),
  ]

  /// The layouts of the same specifications filled in and summed by a program of another language.
  static let layouts: [(ReceiverCommand, String)] = [
    (.poll(.cfgGNSS), "B5 62 06 3E 00 00 44 D2"),
    (.ubxRestart(.warm), "B5 62 06 04 04 00 01 00 02 00 11 6C"),
    (.ubxRestart(.cold), "B5 62 06 04 04 00 FF FF 02 00 0E 61"),
    (
      .configure(.cfgMSG, payload: UBXLegacy.messageRate(.navPVT, every: 1)),
      "B5 62 06 01 03 00 01 07 01 13 51"
    ),
    (
      .configure(.cfgMSG, payload: UBXLegacy.messageRate(.navSAT, every: 5)),
      "B5 62 06 01 03 00 01 35 05 45 B1"
    ),
    (
      .configure(.cfgRATE, payload: UBXLegacy.rate(milliseconds: 1000)),
      "B5 62 06 08 06 00 E8 03 01 00 01 00 01 39"
    ),
    (
      .configure(.cfgRATE, payload: UBXLegacy.rate(milliseconds: 200)),
      "B5 62 06 08 06 00 C8 00 01 00 01 00 DE 6A"
    ),
    (
      .configure(.cfgNAV5, payload: UBXLegacy.navigation(model: .automotive)),
      """
      B5 62 06 24 24 00 41 00 04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 
      00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 93 70
      """
    ),
    (
      .configure(.cfgNAVX5, payload: UBXLegacy.acknowledgedAids),
      """
      B5 62 06 23 28 00 02 00 00 04 00 00 00 00 00 00 00 00 00 00 00 00 00 01 
      00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 58 74
      """
    ),
    (
      .configure(.cfgPMS, payload: UBXLegacy.powerSetup(isCyclic: false)),
      "B5 62 06 86 08 00 00 00 00 00 00 00 00 00 94 5A"
    ),
    (
      .configure(.cfgPMS, payload: UBXLegacy.powerSetup(isCyclic: true)),
      "B5 62 06 86 08 00 00 03 00 00 00 00 00 00 97 6F"
    ),
    (
      .configure(.cfgSBAS, payload: UBXLegacy.sbas(isEnabled: false)),
      "B5 62 06 16 08 00 00 03 03 00 00 00 00 00 2A B1"
    ),
    (
      .configure(.cfgPRT, payload: UBXLegacy.port(.usb, baud: 9600, nmeaOut: false)),
      "B5 62 06 00 14 00 03 00 00 00 00 00 00 00 00 00 00 00 03 00 01 00 00 00 00 00 21 A2"
    ),
    (
      .configure(.cfgPRT, payload: UBXLegacy.port(.uart1, baud: 38_400, nmeaOut: true)),
      "B5 62 06 00 14 00 01 00 00 00 D0 08 00 00 00 96 00 00 03 00 03 00 00 00 00 00 8F 70"
    ),
    (
      .get([.rateMeasure, .navDynamicModel, .uart1BaudRate]),
      "B5 62 06 8B 10 00 00 00 00 00 01 00 21 30 21 00 11 20 01 00 52 40 D8 E5"
    ),
  ]

  /// Each key that is written, by its number and size.
  static let keys: [(ReceiverCommand, String)] = [
    (
      .set(
        [
          UBXSetting(.navDynamicModel, 3), UBXSetting(.staticHoldSpeed, 0),
          UBXSetting(.staticHoldDistance, 0),
        ], layers: .ram),
      "B5 62 06 8A 14 00 00 01 00 00 21 00 11 20 03 38 00 25 20 00 3B 00 25 30 00 00 07 BE"
    ),
    (
      .set(
        [
          UBXSetting(.usbInUBX, true), UBXSetting(.usbOutUBX, true),
          UBXSetting(.usbOutNMEA, false),
        ], layers: .ram),
      "B5 62 06 8A 13 00 00 01 00 00 01 00 77 10 01 01 00 78 10 01 02 00 78 10 00 41 BE"
    ),
    (
      .set(
        [UBXSetting(.uart1InUBX, true), UBXSetting(.uart1OutUBX, true)],
        layers: [.ram, .batteryBacked]),
      "B5 62 06 8A 0E 00 00 03 00 00 01 00 73 10 01 01 00 74 10 01 AC 37"
    ),
    (
      .set(
        [
          UBXSetting(.output(.navSAT, on: .uart1), 5),
          UBXSetting(.output(.navTIMELS, on: .uart1), 255),
          UBXSetting(.output(.navCOV, on: .uart1), 1), UBXSetting(.output(.monRF, on: .uart1), 10),
        ], layers: .ram),
      """
      B5 62 06 8A 18 00 00 01 00 00 16 00 91 20 05 61 00 91 20 FF 84 00 91 20 
      01 5A 03 91 20 0A D4 F9
      """
    ),
    (
      .set(
        [
          UBXSetting(.signalGPS, true), UBXSetting(.signalGalileo, true),
          UBXSetting(.signalBeiDou, false), UBXSetting(.signalQZSS, true),
          UBXSetting(.signalGLONASS, false),
        ], layers: .ram),
      """
      B5 62 06 8A 1D 00 00 01 00 00 1F 00 31 10 01 21 00 31 10 01 22 00 31 10 
      00 24 00 31 10 01 25 00 31 10 00 A1 BB
      """
    ),
    (
      .set([UBXSetting(.signalSBAS, false)], layers: .ram),
      "B5 62 06 8A 09 00 00 01 00 00 20 00 31 10 00 FB 84"
    ),
    (
      .set([UBXSetting(.navAcknowledgeAiding, true)], layers: .ram),
      "B5 62 06 8A 09 00 00 01 00 00 25 00 11 10 01 E1 3E"
    ),
    (
      .set([UBXSetting(.rateMeasure, 200), UBXSetting(.rateNavigation, 1)], layers: .ram),
      "B5 62 06 8A 10 00 00 01 00 00 01 00 21 30 C8 00 02 00 21 30 01 00 0F 4D"
    ),
  ]

  @Test("are the bytes of the specification", arguments: frames + layouts + keys)
  func bytes(command: ReceiverCommand, hex: String) {
    let expected = FrameArithmetic.bytes(hex.trimmingNewlines)
    #expect(FrameArithmetic.hasFletcher(expected))
    #expect(command.bytes == expected)
  }

  @Test("other ports have their own output keys")
  func ports() {
    #expect(UBXKey.output(.navPVT, on: .usb).id == 0x2091_0009)
    #expect(UBXKey.output(.navPVT, on: .i2c).id == 0x2091_0006)
    #expect(UBXKey.output(.navEOE, on: .uart2).id == 0x2091_0161)
  }

  @Test("never ask for an endless sleep, nor for more than twelve days")
  func finite() {
    for span in [Duration.seconds(-1), .zero, .seconds(86_400 * 365)] {
      let command = ReceiverCommand.ubxSleep(span, form: .long)
      let milliseconds = command.bytes[10..<14].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      #expect((1...1_036_800_000).contains(milliseconds))
    }
  }

  @Test("settings are read back from an answer, a torn one is left out")
  func settings() {
    let payload: [UInt8] = [1, 0, 0, 0, 0x01, 0, 0x21, 0x30, 0xe8, 0x03, 0x01, 0, 0xd0, 0x20, 2]
    let all = [UBXSetting(.rateMeasure, 1000), UBXSetting(.powerOperateMode, 2)]
    #expect(UBXSetting.settings(in: payload) == all)
    #expect(UBXSetting.settings(in: payload.dropLast()) == [all[0]])
    #expect(UBXSetting.settings(in: [1, 0]) == [])
  }

  @Test("answers are told from what is about something else")
  func verdicts() {
    let command = ReceiverCommand.set([UBXSetting(.rateMeasure, 1000)], layers: .ram)
    #expect(command.verdict(of: .ubx(.ackACK, payload: [0x06, 0x8a])) == .accepted)
    #expect(command.verdict(of: .ubx(.ackNAK, payload: [0x06, 0x8a])) == .refused)
    #expect(command.verdict(of: .ubx(.ackACK, payload: [0x06, 0x08])) == nil)
    #expect(command.verdict(of: .ubx(.ackACK, payload: [0x06])) == nil)
    let poll = ReceiverCommand.poll(.cfgNAV5)
    #expect(poll.verdict(of: .ubx(.ackACK, payload: [0x06, 0x24])) == .pending)
    #expect(poll.verdict(of: .ubx(.cfgNAV5, payload: [])) == .accepted)
  }
}

extension String {
  /// Without the line end that a literal of several lines may bring.
  var trimmingNewlines: String { String(filter { $0 != "\n" }) }
}

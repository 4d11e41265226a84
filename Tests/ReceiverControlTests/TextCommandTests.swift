import GNSS
import Testing

@testable import ReceiverControl

@Suite("Text commands") struct TextCommandTests {
  /// Sentences of the families' manuals with their printed checksums.
  static let sentences: [(ReceiverCommand, String)] = [
    (MTK.queryRelease, "$PMTK605*31"),
    (MTK.queryQuectelVersion, "$PQVERNO,R*3F"),
    (MTK.sentences, "$PMTK314,0,1,0,1,1,5,0,1,0,0,0,0,0,0,0,0,0,1,0*2C"),
    (MTK.defaultSentences, "$PMTK314,-1*04"),
    (MTK.interval(.seconds(1)), "$PMTK220,1000*1F"),
    (MTK.baud(115_200), "$PMTK251,115200*1F"),
    (MTK.constellations([.gps, .glonass]), "$PMTK353,1,1,0,0,0*2B"),
    (MTK.dynamics(for: .other), "$PMTK886,0*28"),
    (MTK.noStaticNavigation, "$PMTK386,0*23"),
    (MTK.easy, "$PMTK869,1,1*35"),
    (MTK.queryEasy, "$PMTK869,0*29"),
    (MTK.restart(.hot), "$PMTK101*32"),
    (MTK.restart(.warm), "$PMTK102*31"),
    (MTK.restart(.cold), "$PMTK103*30"),
    (MTK.standby, "$PMTK161,0*28"),
    (MTK.lowPower(true), "$PMTK262,3*2B"),
    (MTK.lowPower(false), "$PMTK262,0*28"),
    (Airoha.queryFirmware, "$PAIR020*38"),
    (Airoha.queryVersion, "$PAIR021*39"),
    (Airoha.keepAwake, "$PAIR382,1*2E"),
    (Airoha.powerOn, "$PAIR002*38"),
    (Airoha.powerOff, "$PAIR003*39"),
    (Airoha.sentence(.gsv, every: 5), "$PAIR062,3,5*38"),
    (Airoha.interval(.seconds(1)), "$PAIR050,1000*12"),
    (Airoha.constellations([.gps, .glonass, .galileo, .beidou]), "$PAIR066,1,1,1,1,0,0*3A"),
    (Airoha.dynamics(for: .other), "$PAIR080,0*2E"),
    (Airoha.noStaticNavigation, "$PAIR070,0*21"),
    (Airoha.easy, "$PAIR490,1*2A"),
    (Airoha.saveNavigation, "$PAIR511*3F"),
    (Airoha.restart(.hot), "$PAIR004*3E"),
    (Airoha.restart(.warm), "$PAIR005*3F"),
    (Airoha.restart(.cold), "$PAIR006*3C"),
    (Airoha.backup(.seconds(60), wakePin: WakePin(line: "GPIO17")), "$PAIR650,60*13"),
    (CASIC.queryFirmware, "$PCAS06,0*1B"),
    (CASIC.queryHardware, "$PCAS06,1*1A"),
    (CASIC.sentences, "$PCAS03,1,0,1,5,1,0,1,0,0,0,,,0,1*06"),
    (CASIC.interval(.seconds(1)), "$PCAS02,1000*2E"),
    (CASIC.constellations([.gps, .beidou, .glonass]), "$PCAS04,7*1E"),
    (CASIC.dynamics(for: .automotiveNavigation), "$PCAS11,3*1E"),
    (CASIC.restart(.hot), "$PCAS10,0*1C"),
    (CASIC.restart(.warm), "$PCAS10,1*1D"),
    (CASIC.restart(.cold), "$PCAS10,2*1E"),
    (CASIC.standby(.seconds(60)), "$PCAS12,60*28"),
    (Quectel.queryVersion, "$PQTMVERNO*58"),
    (Quectel.queryOldVersion, "$PQTMVER*59"),
    (Quectel.accuracyOn, "$PQTMCFGMSGRATE,W,PQTMEPE,1,2*1D"),
    (Teseo.queryVersion, "$PSTMGETSWVER,255*17"),
    (OtherFamilies.unicore, "$PDTINFO*4E"),
  ]

  /// What the manuals describe and print no example of; the sums are of another program.
  static let described: [(ReceiverCommand, String)] = [
    (MTK.dynamics(for: .fitness), "$PMTK886,1*29"),
    (MTK.dynamics(for: .airborne), "$PMTK886,2*2A"),
    (MTK.constellations([.gps, .galileo, .beidou]), "$PMTK353,1,0,1,0,1*2A"),
    (Airoha.dynamics(for: .fitness), "$PAIR080,1*2F"),
    (Airoha.sentence(.gll, every: 0), "$PAIR062,1,0*3F"),
    (Airoha.sentence(.gst, every: 1), "$PAIR062,8,1*37"),
    (Airoha.constellations([.gps, .qzss]), "$PAIR066,1,0,0,0,1,0*3A"),
    (CASIC.defaultSentences, "$PCAS03,1,1,1,1,1,1,1,0,0,0,,,0,0*03"),
    (CASIC.interval(.milliseconds(500)), "$PCAS02,500*1A"),
    (CASIC.dynamics(for: .other), "$PCAS11,0*1D"),
    (CASIC.dynamics(for: .fitness), "$PCAS11,2*1F"),
    (CASIC.dynamics(for: .airborne), "$PCAS11,5*18"),
    (Teseo.standby(.seconds(60)), "$PSTMFORCESTANDBY,00060*0A"),
    (Teseo.restart(.hot), "$PSTMHOT*49"),
    (Teseo.restart(.warm), "$PSTMWARM*13"),
    (Teseo.restart(.cold), "$PSTMCOLD*1E"),
    (MTK.baud(9600), "$PMTK251,9600*17"),
  ]

  @Test("are the sentences of the manuals", arguments: sentences + described)
  func bytes(command: ReceiverCommand, sentence: String) {
    let body = sentence.dropFirst().prefix { $0 != "*" }
    #expect(FrameArithmetic.sentence(String(body)) == Array((sentence + "\r\n").utf8))
    #expect(command.bytes == Array((sentence + "\r\n").utf8))
  }

  @Test("the baud rates of CASIC have numbers")
  func casicBaud() {
    #expect(CASIC.baud(115_200)?.bytes == Array("$PCAS01,5*19\r\n".utf8))
    #expect(CASIC.baud(230_400) == nil)
  }

  @Test("CASIC's binary frames")
  func casicFrames() {
    #expect(CASIC.pollVersion.bytes == FrameArithmetic.bytes("BA CE 00 00 0A 04 00 00 0A 04"))
    #expect(
      CASIC.accuracyOn.bytes
        == FrameArithmetic.bytes("BA CE 04 00 06 01 01 03 01 00 05 03 07 01"))
  }

  @Test("Allystar's and SkyTraq's frames")
  func otherFrames() {
    #expect(OtherFamilies.allystar.bytes == FrameArithmetic.bytes("F1 D9 0A 04 00 00 0E 34"))
    #expect(
      OtherFamilies.skyTraq.bytes == FrameArithmetic.bytes("A0 A1 00 02 02 01 03 0D 0A"))
  }

  static let verdicts: [(ReceiverCommand, String, ReceiverCommand.Verdict?)] = [
    (MTK.standby, "PMTK001,161,3", .accepted),
    (MTK.standby, "PMTK001,161,2", .refused),
    (MTK.standby, "PMTK001,220,3", nil),
    (MTK.standby, "PMTK001,161", nil),
    (Airoha.powerOff, "PAIR001,003,0", .accepted),
    (Airoha.powerOff, "PAIR001,003,1", .pending),
    (Airoha.powerOff, "PAIR001,003,4", .refused),
    (Quectel.accuracyOn, "PQTMCFGMSGRATE,OK", .accepted),
    (Quectel.accuracyOn, "PQTMCFGMSGRATE,ERROR,1", .refused),
    (MTK.queryRelease, "PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0", .accepted),
    (MTK.queryRelease, "PMTK605", nil),
    (CASIC.queryHardware, "GPTXT,01,01,02,HW=ATGM336H,0006", .accepted),
  ]

  @Test("answers are judged by each family's own code", arguments: verdicts)
  func verdict(command: ReceiverCommand, heard: String, expected: ReceiverCommand.Verdict?) {
    #expect(command.verdict(of: .sentence(heard)) == expected)
  }
}

@Suite("Session guard") struct SessionGuardTests {
  static let refused: [(String, SessionGuard.Refusal)] = [
    ("PMTK225,4", .wakesByPinOnly), ("PMTK225,1,3000,12000,18000,72000", .wakesByPinOnly),
    ("PMTK225,9", .wakesByPinOnly), ("PMTK291,7,0,10000,1", .freezes),
    ("PAIR650,0", .wakesByPinOnly), ("PSRF117,16", .wakesByPinOnly), ("PCAS00", .writesFlash),
    ("PSTMSAVEPAR", .writesFlash),
  ]

  @Test("refuses what ends a session", arguments: refused)
  func refuses(sentence: String, reason: SessionGuard.Refusal) {
    let check = SessionGuard(hasWakePin: false, isNativeUSB: false)
    #expect(check.refusal(of: FrameArithmetic.sentence(sentence)) == reason)
    #expect(check.refusal(of: Array("\r\n$PMTK605*31\r\n$\(sentence)".utf8)) == reason)
  }

  @Test("refuses it of an Airoha receiver only without a pin")
  func pin() {
    let check = SessionGuard(hasWakePin: true, isNativeUSB: false)
    #expect(check.refusal(of: FrameArithmetic.sentence("PAIR650,60")) == nil)
    #expect(check.refusal(of: FrameArithmetic.sentence("PMTK225,4")) == .wakesByPinOnly)
  }

  static let binary: [(String, Bool, SessionGuard.Refusal?)] = [
    // SiRF shutdown; UBX-RXM-PMREQ without an end, in both forms; with one; on the receiver's USB.
    ("A0 A2 00 02 CD 10 00 DD B0 B3", false, .wakesByPinOnly),
    ("B5 62 02 41 08 00 00 00 00 00 02 00 00 00 4D 3B", false, .sleepsForEver),
    (
      "B5 62 02 41 10 00 00 00 00 00 00 00 00 00 06 00 00 00 08 00 00 00 61 6B", false,
      .sleepsForEver
    ),
    ("B5 62 02 41 08 00 60 EA 00 00 02 00 00 00 97 A1", false, nil),
    ("B5 62 02 41 08 00 60 EA 00 00 02 00 00 00 97 A1", true, .losesUSB),
    // UBX-CFG-PWR backup, UBX-CFG-VALSET with the flash layer, UBX-CFG-CFG that saves.
    ("B5 62 06 57 08 00 01 00 00 00 50 4B 43 42", true, .losesUSB),
    ("B5 62 06 8A 09 00 00 07 00 00 02 00 74 10 00", false, .writesFlash),
    ("B5 62 06 09 0D 00 00 00 00 00 FF FF 00 00 00 00 00 00 17", false, .writesFlash),
    // Cut short: nothing to refuse and nothing to read past.
    ("B5 62 02 41 08", false, nil), ("B5", false, nil), ("24", false, nil),
  ]

  @Test("looks into frames", arguments: binary)
  func frames(hex: String, isNativeUSB: Bool, expected: SessionGuard.Refusal?) {
    let check = SessionGuard(hasWakePin: false, isNativeUSB: isNativeUSB)
    #expect(check.refusal(of: FrameArithmetic.bytes(hex)) == expected)
  }

  @Test("lets every command through that there is, on a UART")
  func lets() {
    let check = SessionGuard(hasWakePin: true, isNativeUSB: false)
    let frames = UBXCommandTests.frames + UBXCommandTests.layouts + UBXCommandTests.keys
    for (command, _) in frames { #expect(check.refusal(of: command.bytes) == nil) }
    for (command, _) in TextCommandTests.sentences + TextCommandTests.described {
      #expect(check.refusal(of: command.bytes) == nil)
    }
  }
}

import GNSSWire
import Testing

@testable import ReceiverControl

@Suite("Receiver health") struct ReceiverHealthTests {
  /// As u-blox, CASIC and MediaTek receivers send them. Source: GlobalTop PMTK command packet
  /// manual, PGTOP; CASIC protocol specification, TXT.
  static let sentences: [(String, ReceiverHealth.Antenna?)] = [
    ("GNTXT,01,01,02,ANTSTATUS=OK", .ok), ("GPTXT,01,01,02,ANTSTATUS=OPEN", .open),
    ("GNTXT,01,01,02,ANTSTATUS=SHORT", .short), ("GNTXT,01,01,02,ANTSTATUS=INIT", nil),
    ("GPTXT,01,01,01,ANTENNA OPEN", .open), ("GPTXT,01,01,01,ANTENNA OK", .ok),
    ("GPTXT,01,01,01,ANTENNA SHORT", .short), ("PGTOP,11,1", .short), ("PGTOP,11,2", .ok),
    ("PGTOP,11,3", .ok), ("PCD,11,3", .ok), ("PGTOP,11,", nil), ("GNTXT,01,01,02,PROTVER", nil),
    ("GNTXT", nil), ("", nil),
  ]

  @Test("the antenna, by what the receiver says", arguments: sentences)
  func sentence(text: String, expected: ReceiverHealth.Antenna?) {
    var health = ReceiverHealth()
    health.take(.sentence(text))
    #expect(health.antenna == expected)
    #expect(health.isJammed == nil)
  }

  /// aStatus at 20 and flags at 22, whose bits 3 and 2 are the state of jamming.
  static let hardware: [(UInt8, UInt8, ReceiverHealth.Antenna?, Bool?)] = [
    (2, 0x01, .ok, nil), (3, 0x05, .short, false), (4, 0x09, .open, false), (1, 0x0d, nil, true),
  ]

  @Test("UBX-MON-HW", arguments: hardware)
  func monHW(status: UInt8, flags: UInt8, antenna: ReceiverHealth.Antenna?, isJammed: Bool?) {
    for byteCount in [60, 68] {
      var payload = [UInt8](repeating: 0, count: byteCount)
      (payload[20], payload[22]) = (status, flags)
      var health = ReceiverHealth()
      health.take(.ubx(.monHW, payload: payload))
      #expect(health.antenna == antenna)
      #expect(health.isJammed == isJammed)
    }
  }

  @Test("UBX-MON-RF: interference in any of the bands counts")
  func monRF() {
    func block(_ state: UInt8, _ antenna: UInt8) -> [UInt8] {
      [0, state, antenna, 1] + [UInt8](repeating: 0, count: 20)
    }
    var health = ReceiverHealth()
    health.take(.ubx(.monRF, payload: [0, 2, 0, 0] + block(1, 2) + block(3, 2)))
    #expect(health.antenna == .ok)
    #expect(health.isJammed == true)
    health.take(.ubx(.monRF, payload: [0, 2, 0, 0] + block(1, 4) + block(2, 4)))
    #expect(health.antenna == .open)
    #expect(health.isJammed == false)
  }

  @Test("torn and empty messages change nothing")
  func torn() {
    var health = ReceiverHealth()
    for count in [0, 1, 4, 27, 29, 59, 61] {
      health.take(.ubx(.monHW, payload: [UInt8](repeating: 3, count: count)))
      health.take(.ubx(.monRF, payload: [UInt8](repeating: 3, count: count)))
    }
    #expect(health == ReceiverHealth())
  }
}

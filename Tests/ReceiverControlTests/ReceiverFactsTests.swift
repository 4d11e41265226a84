import Bytes
import GNSS
import GNSSWire
import Testing

@testable import ReceiverControl

@Suite("Receiver facts") struct ReceiverFactsTests {
  static var facts: ReceiverFacts {
    var payload = Array("EXT CORE 3.01 (107888)".utf8)
    payload += [UInt8](repeating: 0, count: 30 - payload.count)
    payload += Array("00080000".utf8) + [0, 0]
    for text in ["FWVER=SPG 3.01", "PROTVER=18.00", "MOD=NEO-M8N-0"] {
      payload += Array(text.utf8) + [UInt8](repeating: 0, count: 30 - text.utf8.count)
    }
    var model = ReceiverModel(family: .ublox)
    (model.name, model.firmware, model.uniqueID) = ("NEO-M8N-0", "SPG 3.01", "e41b079a31")
    model.ublox = UBXVersion(payload: payload)
    model.traits = [.relabelled]
    var facts = ReceiverFacts(model: model, baud: 38_400)
    facts.fixTimes.learn(.seconds(9), afterOff: .seconds(60))
    (facts.unsupported, facts.badBauds) = ([.staticHoldSpeed], [115_200])
    facts.keepsBackup = true
    var found = FoundConfiguration()
    found.settings = [UBXSetting(.rateMeasure, 1000)]
    found.messages = [(UBXMessageType(messageClass: 6, id: 0), [1, 2, 3])]
    found.baud = 9600
    facts.found = found
    return facts
  }

  @Test("are read as they were written")
  func roundTrip() {
    let facts = Self.facts
    #expect(facts.encoded.withByteView { ReceiverFacts(encoded: $0) } == facts)
    let bare = ReceiverFacts(model: ReceiverModel(family: .unknown), baud: 4800)
    #expect(bare.encoded.withByteView { ReceiverFacts(encoded: $0) } == bare)
  }

  @Test("anything else is no facts: cut short, or with a bit turned")
  func broken() {
    let bytes = Self.facts.encoded
    for count in 0..<bytes.count {
      #expect(bytes.prefix(count).withUnsafeBytes { ReceiverFacts(encoded: ByteView($0)) } == nil)
    }
    for index in bytes.indices {
      var turned = bytes
      turned[index] ^= 0x10
      #expect(turned.withByteView { ReceiverFacts(encoded: $0) } == nil)
    }
  }
}

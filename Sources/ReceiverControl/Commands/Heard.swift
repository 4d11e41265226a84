/// What a receiver said, as far as decisions about it depend on it: checked frames and sentences,
/// copied out of the stream.
package enum Heard: Equatable, Sendable {
  case ubx(UBXAddress, payload: [UInt8])
  /// A sentence, without `$` and checksum.
  case sentence(String)
  /// CASIC binary: class, id and payload.
  case casic(messageClass: UInt8, id: UInt8, payload: [UInt8])
  /// The frame of u-blox with other sync bytes (F1 D9).
  case allystar(messageClass: UInt8, id: UInt8, payload: [UInt8])
  /// SkyTraq binary (A0 A1): message id and the rest.
  case skyTraq(id: UInt8, payload: [UInt8])
  /// SiRF binary (A0 A2): message id and the rest.
  case sirf(id: UInt8, payload: [UInt8])

  /// The sentence's fields, its address first; `nil` for anything binary.
  package var fields: [Substring]? {
    guard case .sentence(let text) = self else { return nil }
    return text.split(separator: ",", omittingEmptySubsequences: false)
  }
}

/// The class and id of a UBX message.
package struct UBXAddress: Hashable, Sendable {
  package var messageClass: UInt8
  package var id: UInt8

  package init(_ messageClass: UInt8, _ id: UInt8) {
    (self.messageClass, self.id) = (messageClass, id)
  }

  package static let navPVT = UBXAddress(0x01, 0x07)
  package static let navDOP = UBXAddress(0x01, 0x04)
  package static let navSOL = UBXAddress(0x01, 0x06)
  package static let navPOSLLH = UBXAddress(0x01, 0x02)
  package static let navVELNED = UBXAddress(0x01, 0x12)
  package static let navTIMEUTC = UBXAddress(0x01, 0x21)
  package static let navTIMELS = UBXAddress(0x01, 0x26)
  package static let navSVINFO = UBXAddress(0x01, 0x30)
  package static let navSAT = UBXAddress(0x01, 0x35)
  package static let navEOE = UBXAddress(0x01, 0x61)
  package static let rxmPMREQ = UBXAddress(0x02, 0x41)
  package static let ackNAK = UBXAddress(0x05, 0x00)
  package static let ackACK = UBXAddress(0x05, 0x01)
  package static let cfgPRT = UBXAddress(0x06, 0x00)
  package static let cfgMSG = UBXAddress(0x06, 0x01)
  package static let cfgRST = UBXAddress(0x06, 0x04)
  package static let cfgRATE = UBXAddress(0x06, 0x08)
  package static let cfgRXM = UBXAddress(0x06, 0x11)
  package static let cfgSBAS = UBXAddress(0x06, 0x16)
  package static let cfgNAVX5 = UBXAddress(0x06, 0x23)
  package static let cfgNAV5 = UBXAddress(0x06, 0x24)
  package static let cfgGNSS = UBXAddress(0x06, 0x3e)
  package static let cfgPMS = UBXAddress(0x06, 0x86)
  package static let cfgVALSET = UBXAddress(0x06, 0x8a)
  package static let cfgVALGET = UBXAddress(0x06, 0x8b)
  package static let cfgPWR = UBXAddress(0x06, 0x57)
  package static let cfgCFG = UBXAddress(0x06, 0x09)
  package static let updSOS = UBXAddress(0x09, 0x14)
  package static let monVER = UBXAddress(0x0a, 0x04)
  package static let monGNSS = UBXAddress(0x0a, 0x28)
  package static let aidINI = UBXAddress(0x0b, 0x01)
  package static let mgaINI = UBXAddress(0x13, 0x40)
  package static let mgaACK = UBXAddress(0x13, 0x60)
  package static let mgaDBD = UBXAddress(0x13, 0x80)
  package static let secUNIQID = UBXAddress(0x27, 0x03)
}

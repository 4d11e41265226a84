/// The protocols whose frames are told apart in a receiver's bytes.
package enum WireProtocol: UInt8, CaseIterable, Sendable {
  case nmea = 0
  case ubx = 1
  case rtcm3 = 2
  /// Hangzhou Zhongke Microelectronics: L76K, ATGM336H, Air530Z.
  case casic = 3
  case allystar = 4
  case skytraq = 5
  /// SiRF binary (OSP).
  case sirf = 6

  /// The name in JSON output.
  package var name: StaticString {
    switch self {
    case .nmea: "nmea"
    case .ubx: "ubx"
    case .rtcm3: "rtcm3"
    case .casic: "casic"
    case .allystar: "allystar"
    case .skytraq: "skytraq"
    case .sirf: "sirf"
    }
  }
}

/// Why a candidate for a frame was dropped.
package enum RejectReason: UInt8, CaseIterable, Sendable {
  /// The checksum does not fit, or is missing.
  case checksum = 0
  /// It broke off: another frame or the end of the stream came first.
  case torn = 1
  /// Longer than any sentence, or a length that the message cannot have.
  case length = 2
  /// The checksum fits, but the fields make no sense.
  case structure = 3

  /// The name in JSON output.
  package var name: StaticString {
    switch self {
    case .checksum: "checksum"
    case .torn: "torn"
    case .length: "length"
    case .structure: "structure"
    }
  }
}

import Bytes
import GNSSWire

/// Payloads of the configuration messages of u-blox 5 to 8. Source: u-blox M8 protocol
/// specification.
package enum UBXLegacy {
  /// UBX-CFG-PRT, 20 bytes, for 8 data bits, no parity, one stop bit. UBX and NMEA come in.
  package static func port(_ port: UBXPort, baud: UInt32, nmeaOut: Bool) -> [UInt8] {
    var payload = OutputBuffer(capacity: 20)
    payload.append(bytes: [port.rawValue, 0, 0, 0])
    payload.append(littleEndian: UInt32(port == .usb ? 0 : 0x08d0))
    payload.append(littleEndian: port == .usb ? 0 : baud)
    payload.append(littleEndian: UInt16(3))
    payload.append(littleEndian: UInt16(nmeaOut ? 3 : 1))
    payload.append(littleEndian: UInt32(0))
    return payload.bytes
  }

  /// UBX-CFG-MSG, 3 bytes: how often the message comes on this port, in epochs.
  package static func messageRate(_ address: UBXMessageType, every epochs: UInt8) -> [UInt8] {
    [address.messageClass, address.id, epochs]
  }

  /// UBX-CFG-RATE, 6 bytes: one solution a measurement, aligned to GPS time.
  package static func rate(milliseconds: UInt16) -> [UInt8] {
    var payload = OutputBuffer(capacity: 6)
    payload.append(littleEndian: milliseconds)
    payload.append(littleEndian: UInt16(1))
    payload.append(littleEndian: UInt16(1))
    return payload.bytes
  }

  /// UBX-CFG-NAV5, 36 bytes, of which the mask lets only the dynamic model through, and with it
  /// that a standing receiver is not held in place.
  package static func navigation(model: DynamicModel) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 36)
    (payload[0], payload[1]) = (0x41, 0x00)
    payload[2] = model.rawValue
    return payload
  }

  /// UBX-CFG-NAVX5, 40 bytes in version 2, of which the mask lets only through that aids are
  /// acknowledged.
  package static let acknowledgedAids: [UInt8] = {
    var payload = [UInt8](repeating: 0, count: 40)
    (payload[0], payload[3], payload[17]) = (2, 0x04, 1)
    return payload
  }()

  /// UBX-CFG-RXM, 2 bytes: continuous, or the power save mode that UBX-CFG-PM2 describes.
  package static func power(isSaving: Bool) -> [UInt8] { [8, isSaving ? 1 : 0] }

  /// UBX-CFG-PMS, 8 bytes, protocol version 18 and later: full power, or 1 Hz cyclic tracking.
  package static func powerSetup(isCyclic: Bool) -> [UInt8] {
    [0, isCyclic ? 3 : 0, 0, 0, 0, 0, 0, 0]
  }

  /// UBX-CFG-SBAS, 8 bytes: corrections and ranging, or nothing.
  package static func sbas(isEnabled: Bool) -> [UInt8] {
    isEnabled ? [1, 3, 3, 0, 0, 0, 0, 0] : [0, 3, 3, 0, 0, 0, 0, 0]
  }
}

/// How the receiver's filter expects it to move. Raw values are those of UBX-CFG-NAV5.
package enum DynamicModel: UInt8, Sendable {
  case portable = 0
  case pedestrian = 3
  case automotive = 4
  case airborne1G = 7
}

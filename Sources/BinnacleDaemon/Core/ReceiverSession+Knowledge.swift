import GNSS
import GNSSWire
import GPSDProtocol

/// What is known of a receiver. Little of this changes anything; but a session is large, and would
/// be copied to be asked.
extension ReceiverSession {
  /// All that is known of the receiver: what it said by itself, and what it answered.
  package var known: ReceiverIdentity {
    var known = decoder.identity
    guard let model = pilot.knownModel else { return known }
    if known.family == .unknown { known.family = model.family }
    if known.model == nil, !model.name.isEmpty { known.model = model.name }
    if known.firmware == nil, !model.firmware.isEmpty { known.firmware = model.firmware }
    if known.uniqueID == nil, !model.uniqueID.isEmpty { known.uniqueID = model.uniqueID }
    if known.hardware == nil { known.hardware = model.ublox?.hardware }
    return known
  }

  /// What the receiver says UTC is behind GPS, or what is known of it; seconds.
  mutating func leapSeconds() -> Int8? { decoder.leapSeconds }

  /// Sentences and frames that failed their checks.
  mutating func rejectedCount() -> UInt64 { decoder.counts.rejected }

  /// The receiver by what is known of it now; `nil` where nothing of that is new.
  /// - Parameter device: What clients were told of the receiver on this node.
  mutating func describe(_ device: (String) -> GPSDDevice?) -> GPSDDevice? {
    let isBinary = decoder.counts.accepted(of: .nmea) == 0
    guard described?.revision != revision || described?.isBinary != isBinary else { return nil }
    guard let node, var device = device(node) else { return nil }
    described = (revision, isBinary)
    let before = device
    let identity = known
    if identity.family != .unknown {
      device.driver = String(describing: identity.family.name)
    } else if device.driver == nil {
      device.driver = isBinary ? "binary" : "NMEA0183"
    }
    device.isBinary = isBinary
    device.subtype = identity.firmware ?? identity.model
    device.subtype1 = identity.hardware
    device.serialNumber = identity.uniqueID
    device.speed = baud ?? device.speed
    return device == before ? nil : device
  }
}

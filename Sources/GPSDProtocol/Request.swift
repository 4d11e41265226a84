import Bytes

/// What a client of the gpsd protocol asks for (gpsd_json(5)).
package enum Request: Equatable, Sendable {
  case version
  case devices
  case poll
  /// Without changes it asks how it is watching.
  case watch(WatchChanges?)
  /// Without an object it asks for all devices.
  case device(DeviceRequest?)
}

/// The object of a `?WATCH` request.
package struct WatchChanges: Equatable, Sendable {
  /// True where the object says nothing of it.
  package var enable = true
  /// `nil` leaves it as it was.
  package var json: Bool?
  package var nmea: Bool?
  package var raw: RawMode?
  package var scaled = false
  package var split24 = false
  package var timing = false
  package var pps = false
  /// Not of gpsd's protocol: GST reports are sent to those who ask for them only, as their `lat`
  /// and `lon` are errors in metres, which some clients take for a position.
  package var gst = false
  /// The one device to watch; `nil` for all.
  package var device: String?
  package init() {}
}

/// How the bytes of a receiver are passed on.
package enum RawMode: Int, Sendable {
  case off = 0
  /// Binary frames as lines of hexadecimal digits, sentences as they are.
  case hex = 1
  case verbatim = 2
}

/// The object of a `?DEVICE` request.
package struct DeviceRequest: Equatable, Sendable {
  /// `nil` means the one device there is.
  package var path: String?
  /// Bytes for the receiver, from `hexdata`.
  package var bytes: [UInt8]?
  /// Whether it wants the speed, the framing, the mode or the rate of the receiver changed.
  package var isConfiguration = false
  package init() {}
}

/// Why a request was refused.
package enum RequestError: Error, Equatable, Sendable {
  /// The text of a request that the protocol does not have.
  case unrecognised(String)
  case invalidWatch(String)
  case invalidDevice(String)
  /// It has more than `RequestAssembler.requestByteCountMax` bytes; the rest of its line is
  /// ignored.
  case tooLong

  /// More of a client's own text is not quoted back to it.
  package static let quotedByteCountMax = 80

  /// The `message` of the ERROR report.
  package var message: String {
    switch self {
    case .unrecognised(let text): "Unrecognized request '\(text)'"
    case .invalidWatch(let problem): "Invalid WATCH: \(problem)"
    case .invalidDevice(let problem): "Invalid DEVICE: \(problem)"
    case .tooLong:
      "Request longer than \(RequestAssembler.requestByteCountMax) bytes; the line was ignored"
    }
  }
}

import FixLog

extension EventKind {
  /// The name in JSON and CSV output.
  package var name: StaticString {
    switch self {
    case .sessionStart: "session_start"
    case .sessionStop: "session_stop"
    case .attach: "attach"
    case .detach: "detach"
    case .gap: "gap"
    case .power: "power"
    case .clockStep: "clock_step"
    case .regionEnter: "region_enter"
    case .regionExit: "region_exit"
    case .visitArrival: "visit_arrival"
    case .visitDeparture: "visit_departure"
    case .configuration: "configuration"
    case .recordsLost: "records_lost"
    case .recovery: "recovery"
    case .interference: "interference"
    case .leapAnnouncement: "leap_announcement"
    case .authorization: "authorization"
    }
  }
}

extension EventKey {
  /// The name in JSON output; `nil` for a key of a newer program.
  var name: StaticString? {
    switch self {
    case .reason: "reason"
    case .receiver: "receiver"
    case .node: "node"
    case .version: "version"
    case .bootID: "boot_id"
    case .from: "from"
    case .to: "to"
    case .count: "count"
    case .byteCount: "bytes"
    case .sequence: "sequence"
    case .model: "model"
    case .baud: "baud"
    case .monitor: "monitor"
    case .region: "region"
    case .latitude: "lat"
    case .longitude: "lon"
    case .accuracy: "eph"
    case .serviceSequence: "event_number"
    case .action: "action"
    case .actor: "actor"
    case .energy: "joules"
    default: nil
    }
  }

  /// Whether its number is an instant.
  var isTime: Bool { self == .from || self == .to }

  /// Decimal places of its number, which counts their units.
  var decimals: Int {
    switch self {
    case .latitude, .longitude: 9
    case .accuracy, .energy: 3
    default: 0
    }
  }
}

extension StreamDescriptor.WireProtocol {
  /// The name in JSON output.
  var name: StaticString? {
    switch self {
    case .unknown: nil
    case .nmea: "nmea"
    case .ubx: "ubx"
    case .mixed: "mixed"
    case .casic: "casic"
    }
  }
}

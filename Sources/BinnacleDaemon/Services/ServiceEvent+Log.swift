import FixLog
import GNSS
import LocationServices

extension ServiceEvent {
  /// As the log keeps it.
  package func logEvent(boottime: Monotonic) -> LogEvent {
    var fields = [LogEvent.Field(.serviceSequence, .number(Int64(clamping: sequence)))]
    switch content {
    case .region(let monitor, let identifier, _, let place):
      fields.append(.init(.monitor, .text(monitor)))
      fields.append(.init(.region, .text(identifier)))
      fields += Self.fields(place.position, accuracy: place.accuracy)
    case .arrival(let visit), .departure(let visit):
      fields += Self.fields(visit.coordinate, accuracy: visit.horizontalAccuracy)
      fields.append(.init(.from, .number(visit.arrival.microseconds)))
      if let departure = visit.departure {
        fields.append(.init(.to, .number(departure.microseconds)))
      }
    }
    return LogEvent(kind, time: time, boottime: boottime, fields: fields)
  }

  private var kind: EventKind {
    switch content {
    case .region(_, _, .satisfied, _): .regionEnter
    case .region: .regionExit
    case .arrival: .visitArrival
    case .departure: .visitDeparture
    }
  }

  private static func fields(
    _ position: Coordinate, accuracy: Double
  ) -> [LogEvent.Field] {
    [
      .init(.latitude, .number(Int64((position.latitude * 1e9).rounded()))),
      .init(.longitude, .number(Int64((position.longitude * 1e9).rounded()))),
      .init(.accuracy, .number(Int64((min(accuracy, 1e9) * 1000).rounded()))),
    ]
  }
}

extension AuditEvent {
  /// As the log keeps it.
  package func logEvent(boottime: Monotonic) -> LogEvent {
    LogEvent(
      .authorization, time: time, boottime: boottime,
      fields: [
        .init(.action, .text(kind.rawValue)), .init(.actor, .text(actor)),
        .init(.reason, .text(detail)),
      ])
  }
}

extension Visit {
  /// Reads what the log keeps of one.
  package init?(_ event: LogEvent) {
    guard [.visitArrival, .visitDeparture].contains(event.kind),
      case .number(let latitude)? = event[.latitude],
      case .number(let longitude)? = event[.longitude],
      case .number(let accuracy)? = event[.accuracy], case .number(let arrival)? = event[.from]
    else { return nil }
    self.init(
      coordinate: Coordinate(latitude: Double(latitude) / 1e9, longitude: Double(longitude) / 1e9),
      horizontalAccuracy: Double(accuracy) / 1000, arrival: UTCTime(microseconds: arrival))
    guard coordinate.isValid else { return nil }
    if case .number(let end)? = event[.to] { departure = UTCTime(microseconds: end) }
  }
}

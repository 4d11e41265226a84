import Bytes
import GNSS

/// The numbers of the entries in the file.
enum StateEntryTag: UInt8 {
  case monitor = 1
  case monitorRemoved = 2
  case region = 3
  case regionRemoved = 4
  case event = 5
  case logged = 6
  case stay = 7
  case visiting = 8
  case session = 9
  case sessionRemoved = 10
  case grant = 11
  case enabled = 12
}

/// Whole numbers are varints, times zigzag microseconds, texts a byte count and UTF-8, measurements
/// 64-bit floats, and what may be missing has a byte 0 or 1 before it.
extension OutputBuffer {
  mutating func append(_ entry: StateEntry) {
    switch entry {
    case .monitor(let number, let name, let credentials):
      append(.monitor, number)
      append(string: name)
      append(credentials)
    case .monitorRemoved(let number): append(.monitorRemoved, number)
    case .region(let number, let record):
      append(.region, number)
      append(record)
    case .regionRemoved(let number, let identifier):
      append(.regionRemoved, number)
      append(string: identifier)
    case .event(let event, let monitor):
      append(.event, monitor)
      append(event)
    case .logged(let sequence):
      append(tag: .logged)
      append(varint: sequence)
    case .stay(let visit):
      append(tag: .stay)
      append(optional: visit) { $0.append($1) }
    case .visiting(let visit):
      append(tag: .visiting)
      append(visit)
    case .session(let options, let credentials):
      append(tag: .session)
      append(options)
      append(credentials)
    case .sessionRemoved(let owner, let name):
      append(tag: .sessionRemoved)
      append(owner)
      append(string: name)
    case .grant(let subject, let verdict):
      append(tag: .grant)
      append(subject)
      append(optional: verdict) { $0.append($1) }
    case .enabled(let isEnabled):
      append(tag: .enabled)
      append(optional: isEnabled) { $0.append(byte: $1 ? 1 : 0) }
    }
  }

  private mutating func append(tag: StateEntryTag) { append(byte: tag.rawValue) }

  private mutating func append(_ tag: StateEntryTag, _ number: MonitorNumber) {
    append(tag: tag)
    append(varint: UInt64(UInt32(bitPattern: number)))
  }

  private mutating func append(string: String) {
    append(varint: UInt64(string.utf8.count))
    append(text: string)
  }

  private mutating func append(real: Double) { append(littleEndian: real.bitPattern) }

  private mutating func append<T>(optional value: T?, _ write: (inout OutputBuffer, T) -> Void) {
    append(byte: value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  private mutating func append(time: UTCTime?) {
    append(optional: time) { $0.append(zigzag: $1.microseconds) }
  }

  private mutating func append(_ coordinate: Coordinate) {
    append(real: coordinate.latitude)
    append(real: coordinate.longitude)
  }

  private mutating func append(_ place: Place) {
    append(place.position)
    append(real: place.accuracy)
  }

  private mutating func append(_ owner: Owner) {
    append(varint: UInt64(owner.userID))
    append(string: owner.clientName)
  }

  private mutating func append(_ credentials: Credentials) {
    append(varint: UInt64(credentials.userID))
    append(optional: credentials.userName) { $0.append(string: $1) }
    append(varint: UInt64(credentials.groups.count))
    for group in credentials.groups { append(string: group) }
    append(optional: credentials.clientName) { $0.append(string: $1) }
  }

  private mutating func append(_ record: RegionRecord) {
    append(string: record.identifier)
    switch record.shape {
    case .circle(let centre, let radius):
      append(byte: 0)
      append(centre)
      append(real: radius)
    case .polygon(let corners):
      append(byte: 1)
      append(varint: UInt64(corners.count))
      for corner in corners { append(corner) }
    }
    append(
      byte: (record.options.notifiesEntry ? 1 : 0) | (record.options.notifiesExit ? 2 : 0))
    append(byte: record.state.rawValue)
    append(time: record.changed)
    append(optional: record.anchor) { $0.append($1) }
  }

  private mutating func append(_ event: ServiceEvent) {
    append(varint: event.sequence)
    append(time: event.time)
    switch event.content {
    case .region(let monitor, let identifier, let state, let place):
      append(byte: 0)
      append(string: monitor)
      append(string: identifier)
      append(byte: state.rawValue)
      append(place)
    case .arrival(let visit):
      append(byte: 1)
      append(visit)
    case .departure(let visit):
      append(byte: 2)
      append(visit)
    }
  }

  private mutating func append(_ visit: Visit) {
    append(visit.coordinate)
    append(real: visit.horizontalAccuracy)
    append(zigzag: visit.arrival.microseconds)
    append(time: visit.departure)
  }

  private mutating func append(_ options: SessionOptions) {
    append(byte: options.services.rawValue)
    append(zigzag: Int64(options.tier.rawValue))
    switch options.filter {
    case .tierDefault: append(byte: 0)
    case .everyEpoch: append(byte: 1)
    case .distance(let metres):
      append(byte: 2)
      append(real: metres)
    }
    append(byte: UInt8(options.activity.rawValue))
    append(
      byte: (options.isStanding ? 1 : 0) | (options.wantsFullAccuracy ? 2 : 0)
        | (options.pausesAutomatically ? 4 : 0))
    append(string: options.name)
    append(string: options.purpose)
    append(real: options.headingFilter)
  }

  private mutating func append(_ subject: Subject) {
    switch subject {
    case .user(let name):
      append(byte: 0)
      append(string: name)
    case .group(let name):
      append(byte: 1)
      append(string: name)
    case .client(let name):
      append(byte: 2)
      append(string: name)
    }
  }

  private mutating func append(_ verdict: Verdict) {
    append(byte: verdict.access.rawValue)
    append(byte: (verdict.isReduced ? 1 : 0) | (verdict.mayAskFullAccuracy ? 2 : 0))
  }
}

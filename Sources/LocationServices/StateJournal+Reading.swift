import Bytes
import GNSS

/// The inverse of `append(_:)`. Everything is checked: an entry that is read can be applied.
extension ByteReader {
  mutating func stateEntry() -> StateEntry? {
    guard let tag = byte().flatMap(StateEntryTag.init(rawValue:)) else { return nil }
    switch tag {
    case .monitor:
      guard let number = monitorNumber(), let name = string(), let credentials = credentials()
      else { return nil }
      return .monitor(number, name: name, credentials)
    case .monitorRemoved: return monitorNumber().map { .monitorRemoved($0) }
    case .region:
      guard let number = monitorNumber(), let record = regionRecord() else { return nil }
      return .region(number, record)
    case .regionRemoved:
      guard let number = monitorNumber(), let identifier = string() else { return nil }
      return .regionRemoved(number, identifier: identifier)
    case .event:
      guard let number = monitorNumber(), let event = serviceEvent() else { return nil }
      return .event(event, monitor: number)
    case .logged: return varint().map { .logged(through: $0) }
    case .stay: return optional { $0.visit() }.map { .stay($0) }
    case .visiting: return visit().map { .visiting($0) }
    case .session:
      guard let options = sessionOptions(), let credentials = credentials() else { return nil }
      return .session(options, credentials)
    case .sessionRemoved:
      guard let owner = owner(), let name = string() else { return nil }
      return .sessionRemoved(owner, name: name)
    case .grant:
      guard let subject = subject(), let verdict = optional({ $0.verdict() }) else { return nil }
      return .grant(subject, verdict)
    case .enabled: return optional { $0.flag() }.map { .enabled($0) }
    }
  }

  private mutating func monitorNumber() -> MonitorNumber? {
    varint().flatMap(UInt32.init(exactly:)).map(MonitorNumber.init(bitPattern:))
  }

  private mutating func string() -> String? {
    varint().flatMap(Int.init(exactly:)).flatMap { bytes($0) }?.text
  }

  /// A number that is one.
  private mutating func real() -> Double? {
    littleEndian(UInt64.self).map(Double.init(bitPattern:)).flatMap { $0.isFinite ? $0 : nil }
  }

  private mutating func flag() -> Bool? {
    byte().flatMap { $0 > 1 ? nil : $0 == 1 }
  }

  /// The outer `nil`: unreadable; the inner: not there.
  private mutating func optional<T>(_ read: (inout ByteReader) -> T?) -> T?? {
    guard let isThere = flag() else { return nil }
    guard isThere else { return .some(nil) }
    return read(&self).map { .some($0) }
  }

  private mutating func instant() -> UTCTime? { zigzag().map(UTCTime.init(microseconds:)) }

  private mutating func coordinate() -> Coordinate? {
    guard let latitude = real(), let longitude = real() else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }

  private mutating func place() -> Place? {
    guard let position = coordinate(), let accuracy = real(), accuracy >= 0 else { return nil }
    return Place(position, accuracy: accuracy)
  }

  private mutating func owner() -> Owner? {
    guard let userID = varint().flatMap(UInt32.init(exactly:)), let name = string() else {
      return nil
    }
    return Owner(userID: userID, clientName: name)
  }

  private mutating func credentials() -> Credentials? {
    guard let userID = varint().flatMap(UInt32.init(exactly:)),
      let userName = optional({ $0.string() }), let count = varint()
    else { return nil }
    var groups: [String] = []
    // Each takes a byte at least, so that a wrong count ends with the bytes.
    for _ in 0..<min(count, UInt64(remaining) + 1) {
      guard let group = string() else { return nil }
      groups.append(group)
    }
    guard let clientName = optional({ $0.string() }) else { return nil }
    return Credentials(
      userID: userID, userName: userName, groups: groups, clientName: clientName)
  }

  private mutating func regionRecord() -> RegionRecord? {
    guard let identifier = string(), let shape = regionShape(), let notified = byte(),
      notified <= 3, let state = byte().flatMap(RegionState.init(rawValue:)),
      let changed = optional({ $0.instant() }), let anchor = optional({ $0.place() })
    else { return nil }
    var options = RegionOptions()
    options.notifiesEntry = notified & 1 != 0
    options.notifiesExit = notified & 2 != 0
    return RegionRecord(
      identifier: identifier, shape: shape, options: options, state: state, changed: changed,
      anchor: anchor)
  }

  private mutating func regionShape() -> RegionShape? {
    var shape: RegionShape?
    switch byte() {
    case 0:
      guard let centre = coordinate(), let radius = real() else { return nil }
      shape = .circle(centre: centre, radius: radius)
    case 1:
      guard let count = varint(), count <= UInt64(RegionShape.cornerCountMax) else { return nil }
      var corners: [Coordinate] = []
      for _ in 0..<count {
        guard let corner = coordinate() else { return nil }
        corners.append(corner)
      }
      shape = .polygon(corners)
    default: return nil
    }
    guard let shape, (try? shape.validate()) != nil else { return nil }
    return shape
  }

  private mutating func serviceEvent() -> ServiceEvent? {
    guard let sequence = varint(), let time = optional({ $0.instant() }), let kind = byte() else {
      return nil
    }
    let content: ServiceEvent.Content
    switch kind {
    case 0:
      guard let monitor = string(), let identifier = string(),
        let state = byte().flatMap(RegionState.init(rawValue:)), let place = place()
      else { return nil }
      content = .region(monitor: monitor, identifier: identifier, state: state, place)
    case 1, 2:
      guard let visit = visit() else { return nil }
      content = kind == 1 ? .arrival(visit) : .departure(visit)
    default: return nil
    }
    return ServiceEvent(sequence: sequence, time: time, content: content)
  }

  private mutating func visit() -> Visit? {
    guard let place = place(), let arrival = instant(), let departure = optional({ $0.instant() })
    else { return nil }
    return Visit(
      coordinate: place.position, horizontalAccuracy: place.accuracy, arrival: arrival,
      departure: departure)
  }

  private mutating func sessionOptions() -> SessionOptions? {
    var options = SessionOptions()
    guard let services = byte(), let tier = zigzag().flatMap({ Tier(rawValue: Int($0)) }),
      let filter = byte()
    else { return nil }
    options.services = SessionOptions.Services(rawValue: services)
    options.tier = tier
    switch filter {
    case 0: options.filter = .tierDefault
    case 1: options.filter = .everyEpoch
    case 2:
      guard let metres = real() else { return nil }
      options.filter = .distance(metres)
    default: return nil
    }
    guard let activity = byte().flatMap({ Activity(rawValue: Int($0)) }), let flags = byte(),
      flags <= 7, let name = string(), let purpose = string(), let headingFilter = real()
    else { return nil }
    options.activity = activity
    options.isStanding = flags & 1 != 0
    options.wantsFullAccuracy = flags & 2 != 0
    options.pausesAutomatically = flags & 4 != 0
    options.name = name
    options.purpose = purpose
    options.headingFilter = headingFilter
    return options.problem == nil ? options : nil
  }

  private mutating func subject() -> Subject? {
    guard let kind = byte(), let name = string() else { return nil }
    switch kind {
    case 0: return .user(name)
    case 1: return .group(name)
    case 2: return .client(name)
    default: return nil
    }
  }

  private mutating func verdict() -> Verdict? {
    guard let access = byte().flatMap(Verdict.Access.init(rawValue:)), let flags = byte(),
      flags <= 3
    else { return nil }
    return Verdict(access, isReduced: flags & 1 != 0, mayAskFullAccuracy: flags & 2 != 0)
  }
}

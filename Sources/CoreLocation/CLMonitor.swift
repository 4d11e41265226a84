import ControlProtocol
import Foundation
import GNSS
import LocationServices

/// A named set of conditions. The daemon keeps it from one run of the program to the next, and
/// watches it meanwhile if the policy allows that. Only one live monitor has a name.
public actor CLMonitor {
  public nonisolated let name: String

  private let link = DaemonLink.shared
  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let token: DaemonLink.Token
  private var records: [String: Record] = [:]
  /// Whether the daemon has gone since the conditions were compared with its own.
  private var isStale = false

  /// Events that wait for a slow program; the oldest give way.
  private static let eventCountMax = 1024

  /// A condition and what came of it.
  public struct Record: Sendable {
    public let condition: any CLCondition
    public internal(set) var lastEvent: Event

    init(_ condition: any CLCondition, _ lastEvent: Event) {
      (self.condition, self.lastEvent) = (condition, lastEvent)
    }

    /// Of what the daemon keeps; `nil` for a shape that is no circle.
    init?(_ region: KeptRegion) {
      guard let circle = CLCircularRegion(region.value) else { return nil }
      condition = CircularGeographicCondition(center: circle.center, radius: circle.radius)
      lastEvent = Event(
        region.identifier, Event.State(region.state), region.changed.map { Date($0) } ?? Date())
    }
  }

  /// Opens the monitor, or makes it where there is none of this name.
  public init(_ name: String) async {
    self.name = name
    (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(Self.eventCountMax))
    let (raw, source) = AsyncStream.makeStream(
      of: DaemonLink.Event.self, bufferingPolicy: .bufferingNewest(Self.eventCountMax))
    let daemonName = Self.daemonName(of: name)
    token = link.subscribe(.monitor(daemonName)) { source.yield($0) }
    link.open(token)
    for region in await keptRegions() { records[region.identifier] = Record(region) }
    // One task keeps the events in their order.
    Task { [weak self] in
      for await event in raw { await self?.take(event) }
    }
    continuation.onTermination = { _ in source.finish() }
  }

  deinit {
    continuation.finish()
    link.unsubscribe(token)
  }

  /// A program's monitors are its own.
  private static func daemonName(of name: String) -> String { "\(DaemonLink.clientName)/\(name)" }

  public var identifiers: [String] { records.keys.sorted() }

  /// The condition of this name, and its last event; `nil` where there is none.
  public func record(for identifier: String) -> Record? { records[identifier] }

  /// What happens to the conditions, for as long as the monitor lives.
  public var events: Events { Events(stream: stream) }

  public func add(_ condition: any CLCondition, identifier: String) async {
    await add(condition, identifier: identifier, assuming: .unknown)
  }

  /// Watches a condition. One of the same name is replaced.
  /// - Parameter state: How it is believed to stand; an event follows only where that is wrong.
  public func add(
    _ condition: any CLCondition, identifier: String, assuming state: Event.State
  ) async {
    records[identifier] = Record(condition, Event(identifier, state, Date()))
    guard let circle = condition as? CircularGeographicCondition else {
      var event = Event(identifier, .unmonitored, Date())
      event.conditionUnsupported = true
      return tell(event)
    }
    var options = RegionOptions()
    options.assumedState = RegionState(state)
    let request = Request.addRegion(
      monitor: Self.daemonName(of: name), identifier: identifier,
      .circle(centre: circle.center.position, radius: circle.radius), options)
    guard case .failure(let error) = await perform(.service(request)) else {
      return determineStart(of: circle, identifier)
    }
    var event = Event(identifier, .unmonitored, Date())
    event.diagnostics = Diagnostics(.failed(error))
    tell(event)
  }

  /// The daemon tells nothing of a circle as long as the board is outside.
  private func determineStart(of circle: CircularGeographicCondition, _ identifier: String) {
    let region = CLCircularRegion(
      center: circle.center, radius: circle.radius, identifier: identifier)
    link.position { [weak self] location in
      guard let location, region.isLeft(at: location) else { return }
      Task { await self?.noteOutside(identifier) }
    }
  }

  private func noteOutside(_ identifier: String) {
    guard records[identifier]?.lastEvent.state == .unknown else { return }
    tell(Event(identifier, .unsatisfied, Date()))
  }

  public func remove(_ identifier: String) async {
    guard records.removeValue(forKey: identifier) != nil else { return }
    let name = Self.daemonName(of: name)
    _ = await perform(.service(.removeRegion(monitor: name, identifier: identifier)))
  }

  private func perform(_ request: ControlRequest) async -> Result<Void, CLError> {
    await withCheckedContinuation { done in
      link.request(request) { done.resume(returning: $0.map { _ in }) }
    }
  }

  private func keptRegions() async -> [KeptRegion] {
    await withCheckedContinuation { done in
      link.regions(of: Self.daemonName(of: name)) { done.resume(returning: $0) }
    }
  }

  /// After the daemon returned: tells what it saw meanwhile, and asks again for what it missed.
  private func refresh() async {
    var missing = records
    for region in await keptRegions() {
      guard let kept = Record(region) else { continue }
      let known = missing.removeValue(forKey: region.identifier)
      if records[region.identifier] == nil { records[region.identifier] = kept }
      if known?.lastEvent.state != kept.lastEvent.state { tell(kept.lastEvent) }
    }
    for (identifier, record) in missing where record.condition is CircularGeographicCondition {
      await add(record.condition, identifier: identifier)
    }
  }

  private func take(_ event: DaemonLink.Event) async {
    switch event {
    case .opened where isStale:
      isStale = false
      await refresh()
    case .update(.region(let identifier, let state, let time)):
      guard let record = records[identifier], record.lastEvent.state != Event.State(state) else {
        return
      }
      tell(Event(identifier, Event.State(state), time.map { Date($0) } ?? Date()))
    case .failed:
      isStale = true
      for identifier in identifiers {
        var told = Event(identifier, .unmonitored, Date())
        told.diagnostics = Diagnostics(event)
        tell(told)
      }
    default: break
    }
  }

  private func tell(_ event: Event) {
    records[event.identifier]?.lastEvent = event
    continuation.yield(event)
  }
}

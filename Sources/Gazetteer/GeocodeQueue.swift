import GNSS

/// What a client may ask of the gazetteer.
package enum GeocodeQuery: Hashable, Sendable {
  case reverse(Coordinate)
  case forward(address: String, country: String?)
}

/// The rules for one client's look-ups: one at a time, a newer one cancels the older, not too many
/// in a minute, known answers from memory. Reads no clock and looks nothing up itself.
package struct GeocodeQueue: Sendable {
  package typealias Ticket = UInt64

  package enum Event: Equatable, Sendable {
    case asked(GeocodeQuery, Ticket)
    case cancelled
    /// The look-up is done; empty where nothing was found.
    case found([PopulatedPlace], Ticket)
    /// The places cannot be looked up at all.
    case failed(Ticket)
  }

  package enum Command: Equatable, Sendable {
    case lookUp(GeocodeQuery, Ticket)
    case answer([PopulatedPlace], Ticket)
    case refuse(Refusal, Ticket)
  }

  /// Named as in Core Location's `CLError`.
  package enum Refusal: Equatable, Sendable {
    case geocodeCanceled
    case geocodeFoundNoResult
    /// Too many requests in a minute, or no places to look in.
    case network
  }

  /// Look-ups in any `throttleSpan`; answers from memory are not counted.
  package static let lookUpCountMax = 50
  package static let throttleSpan = Duration.seconds(60)
  /// Answers kept, the newest.
  package static let cacheCountMax = 64
  /// An answer holds for all coordinates within so many metres of the one that was asked for.
  package static let cacheRadius = 10.0

  private var pending: (query: GeocodeQuery, ticket: Ticket)?
  private var lookUps: [Monotonic] = []
  private var cache: [(query: GeocodeQuery, places: [PopulatedPlace])] = []

  package init() {}

  package var isGeocoding: Bool { pending != nil }

  package mutating func handle(_ event: Event, at now: Monotonic) -> [Command] {
    switch event {
    case .asked(let query, let ticket): return cancel() + ask(query, ticket, at: now)
    case .cancelled: return cancel()
    case .found(let places, let ticket):
      // An answer to what nobody waits for any more is dropped.
      guard let (query, current) = pending, current == ticket else { return [] }
      pending = nil
      keep(places, for: query)
      return [Self.answer(places, ticket)]
    case .failed(let ticket):
      guard pending?.ticket == ticket else { return [] }
      pending = nil
      return [.refuse(.network, ticket)]
    }
  }

  private mutating func cancel() -> [Command] {
    guard let (_, ticket) = pending else { return [] }
    pending = nil
    return [.refuse(.geocodeCanceled, ticket)]
  }

  private mutating func ask(
    _ query: GeocodeQuery, _ ticket: Ticket, at now: Monotonic
  ) -> [Command] {
    if let places = known(query) { return [Self.answer(places, ticket)] }
    lookUps.removeAll { now - $0 >= Self.throttleSpan }
    guard lookUps.count < Self.lookUpCountMax else { return [.refuse(.network, ticket)] }
    lookUps.append(now)
    pending = (query, ticket)
    return [.lookUp(query, ticket)]
  }

  private static func answer(_ places: [PopulatedPlace], _ ticket: Ticket) -> Command {
    places.isEmpty ? .refuse(.geocodeFoundNoResult, ticket) : .answer(places, ticket)
  }

  private func known(_ query: GeocodeQuery) -> [PopulatedPlace]? {
    cache.first { entry in
      guard case .reverse(let asked) = entry.query, case .reverse(let here) = query else {
        return entry.query == query
      }
      return asked.planarDistance(to: here) <= Self.cacheRadius
    }?.places
  }

  private mutating func keep(_ places: [PopulatedPlace], for query: GeocodeQuery) {
    if cache.count >= Self.cacheCountMax { cache.removeLast() }
    cache.insert((query, places), at: 0)
  }
}

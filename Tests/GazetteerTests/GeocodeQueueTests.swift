import GNSS
import Testing

@testable import Gazetteer

@Suite("Geocode queue") struct GeocodeQueueTests {
  private let bern = PopulatedPlace(
    geonameID: 2_661_552, name: "Bern", asciiName: "Bern",
    coordinate: Coordinate(latitude: 46.94809, longitude: 7.44744), countryCode: "CH",
    regionCode: "BE", timeZone: "Europe/Zurich", population: 121_631)
  private let here = GeocodeQuery.reverse(Coordinate(latitude: 46.95, longitude: 7.44))

  private func seconds(_ count: Double) -> Monotonic {
    Monotonic(nanoseconds: Int64(count * 1e9))
  }

  @Test("looks up one at a time; a newer request cancels the older, whose answer is dropped")
  func oneAtATime() {
    var queue = GeocodeQueue()
    let name = GeocodeQuery.forward(address: "Bern", country: nil)
    #expect(queue.handle(.asked(here, 1), at: .zero) == [.lookUp(here, 1)])
    #expect(queue.isGeocoding)
    #expect(
      queue.handle(.asked(name, 2), at: .zero) == [.refuse(.geocodeCanceled, 1), .lookUp(name, 2)])
    #expect(queue.handle(.found([bern], 1), at: .zero).isEmpty)
    #expect(queue.handle(.failed(1), at: .zero).isEmpty)
    #expect(queue.handle(.found([bern], 2), at: .zero) == [.answer([bern], 2)])
    #expect(!queue.isGeocoding)
  }

  @Test("cancel refuses what is open, and nothing otherwise")
  func cancel() {
    var queue = GeocodeQueue()
    #expect(queue.handle(.cancelled, at: .zero).isEmpty)
    _ = queue.handle(.asked(here, 1), at: .zero)
    #expect(queue.handle(.cancelled, at: .zero) == [.refuse(.geocodeCanceled, 1)])
    #expect(queue.handle(.found([bern], 1), at: .zero).isEmpty)
  }

  @Test("nothing found and no gazetteer are told apart")
  func failures() {
    var queue = GeocodeQueue()
    _ = queue.handle(.asked(here, 1), at: .zero)
    #expect(queue.handle(.found([], 1), at: .zero) == [.refuse(.geocodeFoundNoResult, 1)])
    _ = queue.handle(.asked(.forward(address: "x", country: nil), 2), at: .zero)
    #expect(queue.handle(.failed(2), at: .zero) == [.refuse(.network, 2)])
  }

  @Test("answers again from memory, for coordinates within ten metres too")
  func cache() {
    var queue = GeocodeQueue()
    _ = queue.handle(.asked(here, 1), at: .zero)
    _ = queue.handle(.found([bern], 1), at: .zero)
    let near = GeocodeQuery.reverse(Coordinate(latitude: 46.95008, longitude: 7.44))
    let away = GeocodeQuery.reverse(Coordinate(latitude: 46.95010, longitude: 7.44))
    #expect(queue.handle(.asked(near, 2), at: .zero) == [.answer([bern], 2)])
    #expect(queue.handle(.asked(away, 3), at: .zero) == [.lookUp(away, 3)])
  }

  @Test("refuses the 51st look-up in a minute, and takes it a minute after the first")
  func throttle() {
    var queue = GeocodeQueue()
    for number in 0..<50 {
      let query = GeocodeQuery.forward(address: "\(number)", country: nil)
      let ticket = UInt64(number)
      #expect(queue.handle(.asked(query, ticket), at: seconds(1)) == [.lookUp(query, ticket)])
      _ = queue.handle(.found([], ticket), at: seconds(1))
    }
    let known = GeocodeQuery.forward(address: "49", country: nil)
    #expect(
      queue.handle(.asked(known, 60), at: seconds(2)) == [.refuse(.geocodeFoundNoResult, 60)])
    #expect(queue.handle(.asked(here, 61), at: seconds(60.9)) == [.refuse(.network, 61)])
    #expect(queue.handle(.asked(here, 62), at: seconds(61)) == [.lookUp(here, 62)])
  }
}

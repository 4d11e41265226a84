import Bytes
import GNSS
import Testing

@testable import Gazetteer

@Suite("Place index") struct PlaceIndexTests {
  @Test("keeps every column of a place")
  func columns() throws {
    try Samples.index([Samples.lines[3]]).withByteView { view in
      let index = try PlaceIndex(view)
      let place = try #require(index.place(0, in: view))
      #expect(place.name == "Saint-Étienne" && place.asciiName == "Saint-Etienne")
      #expect(place.coordinate == Coordinate(latitude: 45.43389, longitude: 4.39))
      #expect(place.countryCode == "FR" && place.regionCode == "84")
      #expect(place.timeZone == "Europe/Paris" && place.population == 176_280)
      #expect(place.geonameID == 2_980_291)
      #expect(index.place(1, in: view) == nil && index.place(-1, in: view) == nil)
    }
  }

  static let names: [(asked: String, country: String?, ids: [UInt32])] = [
    ("Berlin", nil, [2_950_159, 5_083_330]),
    ("BERLIN", "us", [5_083_330]),
    ("Берлин", nil, [2_950_159]),
    ("munchen", nil, [2_867_714]),
    ("MÜNCHEN", "DE", [2_867_714]),
    ("ミュンヘン", nil, [2_867_714]),
    ("  saint   etienne ", nil, [2_980_291]),
    ("laquila", nil, [3_117_735]),
    ("L'Aquila", "IT", [3_117_735]),
    ("Berlin", "FR", []),
    ("Berl", nil, []),
    ("", nil, []),
    ("zzz", nil, []),
    ("\u{0}", nil, []),
  ]

  @Test("finds names in any script, folded, the largest place first", arguments: names)
  func named(asked: String, country: String?, ids: [UInt32]) throws {
    try Samples.index(Samples.lines).withByteView { view in
      let index = try PlaceIndex(view)
      let found = index.places(named: asked, country: country, limit: 10, in: view)
      #expect(found.map(\.geonameID) == ids)
      #expect(
        index.places(named: asked, country: country, limit: 1, in: view).map(\.geonameID)
          == Array(ids.prefix(1)))
    }
  }

  static let addresses: [(address: String, id: UInt32?)] = [
    ("Berlin, NH", 5_083_330), ("Main Street 5, Berlin, NH 03570, US", 5_083_330),
    ("Unter den Linden 1, Berlin", 2_950_159), ("Berlin, Deutschland", 2_950_159),
    ("Nowhere, Nobody", nil), (",,,", nil),
  ]

  @Test("narrows an address down by codes of region and country", arguments: addresses)
  func addressed(address: String, id: UInt32?) throws {
    try Samples.index(Samples.lines).withByteView { view in
      let found = try PlaceIndex(view).places(atAddress: address, limit: 1, in: view)
      #expect(found.first?.geonameID == id)
    }
  }

  @Test("sees the nearest across the antimeridian")
  func antimeridian() throws {
    try Samples.index(Samples.lines).withByteView { view in
      let index = try PlaceIndex(view)
      let here = Coordinate(latitude: -18.5, longitude: -178.5)
      let nearest = try #require(index.nearest(to: here, in: view))
      #expect(nearest.place.name == "Suva")
      #expect(abs(nearest.distance - nearest.place.coordinate.distance(to: here)) < 0.001)
      #expect(nearest.bearing > 90 && nearest.bearing < 100)
    }
  }

  @Test("has no nearest place to what is no coordinate", arguments: [.nan, 91, -200])
  func invalid(latitude: Double) throws {
    try Samples.index(Samples.lines).withByteView { view in
      let here = Coordinate(latitude: latitude, longitude: 0)
      let index = try PlaceIndex(view)
      #expect(index.nearest(to: here, in: view) == nil)
    }
  }

  @Test("refuses a file with any byte changed, and any part of a file")
  func damaged() throws {
    let whole = try Samples.index(Samples.lines)
    for offset in whole.indices {
      var bytes = whole
      bytes[offset] ^= 0x10
      #expect(Samples.refuses(bytes), "byte \(offset)")
    }
    for count in whole.indices {
      #expect(Samples.refuses(Array(whole[..<count])), "\(count) bytes")
    }
  }

  @Test("answers or not, but does not trap, where the file changes underneath")
  func changedUnderneath() throws {
    let whole = try Samples.index(Samples.lines)
    let index = try whole.withByteView { try PlaceIndex($0) }
    var generator = Generator(seed: UInt64.random(in: 1...UInt64.max))
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<20 {
        bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(
          truncatingIfNeeded: generator.next())
      }
      bytes.withByteView { view in
        _ = index.nearest(to: Coordinate(latitude: 50, longitude: 10), in: view)
        _ = index.places(named: "Berlin", limit: 10, in: view)
        for number in 0..<index.placeCount { _ = index.place(number, in: view) }
      }
    }
    Array(whole.dropLast(40)).withByteView { view in
      #expect(index.nearest(to: Coordinate(latitude: 50, longitude: 10), in: view) == nil)
      #expect(index.places(named: "Berlin", limit: 10, in: view).isEmpty)
    }
  }
}

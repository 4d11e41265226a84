import GNSS
import Testing

@Suite("Chinese datums") struct ChineseDatumTests {
  /// Worked by an independent calculation of the published formulas in Python's double precision.
  static let shifts: [(datum: ChineseDatum, from: Coordinate, to: Coordinate)] = [
    (
      .gcj02, Coordinate(latitude: 39.915, longitude: 116.404),
      Coordinate(latitude: 39.9164042815, longitude: 116.4102444992)
    ),
    (
      .gcj02, Coordinate(latitude: 31.1774276, longitude: 121.5272106),
      Coordinate(latitude: 31.1753039836, longitude: 121.5315418592)
    ),
    (
      .gcj02, Coordinate(latitude: 43.8256, longitude: 87.6168),
      Coordinate(latitude: 43.8268053931, longitude: 87.6196499495)
    ),
    (
      .bd09, Coordinate(latitude: 39.915, longitude: 116.404),
      Coordinate(latitude: 39.9226995522, longitude: 116.4166272438)
    ),
    (
      .bd09, Coordinate(latitude: 31.1774276, longitude: 121.5272106),
      Coordinate(latitude: 31.1813286069, longitude: 121.5380156864)
    ),
    (
      .bd09, Coordinate(latitude: 43.8256, longitude: 87.6168),
      Coordinate(latitude: 43.8329497948, longitude: 87.6260997708)
    ),
  ]

  @Test("positions in China are shifted by the formulas that all maps use", arguments: shifts)
  func shift(datum: ChineseDatum, from: Coordinate, to: Coordinate) {
    let found = datum.converted(from)
    #expect(abs(found.latitude - to.latitude) < 1e-9)
    #expect(abs(found.longitude - to.longitude) < 1e-9)
  }

  static let abroad: [Coordinate] = [
    Coordinate(latitude: 52.5, longitude: 13.4), Coordinate(latitude: 35.68, longitude: 139.77),
    Coordinate(latitude: 25.03, longitude: 121.56), Coordinate(latitude: -90, longitude: 180),
    Coordinate(latitude: 0, longitude: -180), Coordinate(latitude: 90, longitude: 0),
  ]

  @Test("nothing changes outside China", arguments: ChineseDatum.allCases)
  func outside(datum: ChineseDatum) {
    for place in Self.abroad {
      #expect(datum.converted(place) == place)
      #expect(datum.inverted(place) == place)
    }
    let unknown = Coordinate(latitude: .nan, longitude: .infinity)
    #expect(datum.converted(unknown).longitude == .infinity)
    #expect(datum.inverted(unknown).longitude == .infinity)
  }

  @Test("there and back is the same to a millimetre", arguments: ChineseDatum.allCases)
  func roundTrip(datum: ChineseDatum) {
    for row in 0...20 {
      for column in 0...40 {
        let place = Coordinate(
          latitude: 24 + Double(row) * 0.75, longitude: 101 + Double(column) * 0.3)
        let back = datum.inverted(datum.converted(place))
        #expect(place.distance(to: back) < 0.001)
      }
    }
  }
}

import Bytes
import Foundation
import Gazetteer
import Glibc
import Testing

@testable import CoreLocation

@Suite("CLGeocoder", .serialized) struct GeocoderTests {
  /// An index with two towns, as the environment names it.
  private static let isReady: Bool = {
    let path = "/tmp/binnacle-facade-\(getpid()).index"
    setenv("BINNACLE_PLACES", path, 1)
    var builder = PlaceIndexBuilder()
    let lines = [
      "2661552\tBern\tBern\tBerna,Berne\t46.94809\t7.44744\tP\tPPLC\tCH\t\tBE\t\t\t\t121631\t\t549"
        + "\tEurope/Zurich\t2024-01-01",
      "2950159\tBerlin\tBerlin\tBerlino\t52.52437\t13.41053\tP\tPPLC\tDE\t\t16\t\t\t\t3426354\t\t43"
        + "\tEurope/Berlin\t2024-01-01",
    ]
    for line in lines { try? Array(line.utf8).withByteView { try builder.add($0) } }
    guard let bytes = try? builder.index().bytes else { return false }
    return FileManager.default.createFile(atPath: path, contents: Data(bytes))
  }()

  @Test("names the town next to a location")
  func reverse() async throws {
    try #require(Self.isReady)
    let here = CLLocation(latitude: 46.95, longitude: 7.44)
    let found = try await CLGeocoder().reverseGeocodeLocation(
      here, preferredLocale: Locale(identifier: "en_US"))
    let placemark = try #require(found.first)
    #expect(placemark.locality == "Bern" && placemark.isoCountryCode == "CH")
    #expect(placemark.administrativeArea == "BE" && placemark.country == "Switzerland")
    #expect(placemark.timeZone?.identifier == "Europe/Zurich")
    #expect(placemark.location?.coordinate.latitude == 46.94809)
    #expect(placemark.postalCode == nil)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: placemark, requiringSecureCoding: true)
    let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLPlacemark.self, from: data)
    #expect(back?.name == "Bern" && back?.timeZone?.identifier == "Europe/Zurich")
  }

  @Test("finds a town by its name, and says where there is none")
  func forward() async throws {
    try #require(Self.isReady)
    let geocoder = CLGeocoder()
    let found = try await geocoder.geocodeAddressString("Bundesplatz 3, BERNE")
    #expect(found.map(\.name) == ["Bern"])
    await #expect(throws: CLError.self) { try await geocoder.geocodeAddressString("Atlantis") }
    #expect(!geocoder.isGeocoding)
  }

  @MainActor @Test("calls completion handlers on the main queue")
  func completion() async throws {
    try #require(Self.isReady)
    let outcome = await withCheckedContinuation { done in
      CLGeocoder().geocodeAddressString("Berlin") { placemarks, error in
        MainActor.assumeIsolated {}
        done.resume(returning: error == nil ? placemarks?.first?.isoCountryCode : nil)
      }
    }
    #expect(outcome == "DE")
  }

  @Test("refuses the 51st look-up in a minute as Apple's does")
  func throttled() async throws {
    try #require(Self.isReady)
    let geocoder = CLGeocoder()
    var codes: Set<Int> = []
    for number in 0..<51 {
      do {
        _ = try await geocoder.geocodeAddressString("Nowhere \(number)")
      } catch {
        codes.insert((error as NSError).code)
      }
    }
    #expect(codes == [8, 2])
  }
}

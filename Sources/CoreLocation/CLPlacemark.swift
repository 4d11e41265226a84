import Foundation
import Gazetteer

/// A place with its names. The gazetteer knows towns, no streets: what is finer is `nil`.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  public let location: CLLocation?
  /// Around the town; its size is not known, so that the radius is a rough one.
  public let region: CLRegion?
  public let timeZone: TimeZone?
  public let name: String?
  /// The town.
  public let locality: String?
  /// The code of the state, canton or province.
  public let administrativeArea: String?
  /// ISO 3166-1, two letters.
  public let isoCountryCode: String?
  /// In the language that was asked for.
  public let country: String?

  open var thoroughfare: String? { nil }
  open var subThoroughfare: String? { nil }
  open var subLocality: String? { nil }
  open var subAdministrativeArea: String? { nil }
  open var postalCode: String? { nil }
  open var inlandWater: String? { nil }
  open var ocean: String? { nil }
  open var areasOfInterest: [String]? { nil }

  /// Metres.
  private static let townRadius = 5000.0

  init(_ place: PopulatedPlace, locale: Locale) {
    let coordinate = CLLocationCoordinate2D(place.coordinate)
    location = CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
    region = CLCircularRegion(
      center: coordinate, radius: Self.townRadius, identifier: place.name)
    timeZone = TimeZone(identifier: place.timeZone)
    (name, locality) = (place.name, place.name)
    administrativeArea = place.regionCode.isEmpty ? nil : place.regionCode
    isoCountryCode = place.countryCode.isEmpty ? nil : place.countryCode
    country = isoCountryCode.flatMap { locale.localizedString(forRegionCode: $0) }
    super.init()
  }

  public init(placemark: CLPlacemark) {
    (location, region, timeZone) = (placemark.location, placemark.region, placemark.timeZone)
    (name, locality) = (placemark.name, placemark.locality)
    (administrativeArea, isoCountryCode) = (
      placemark.administrativeArea, placemark.isoCountryCode
    )
    country = placemark.country
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    func text(_ key: String) -> String? {
      coder.decodeObject(of: NSString.self, forKey: key).map { "\($0)" }
    }
    location = coder.decodeObject(of: CLLocation.self, forKey: "location")
    region = coder.decodeObject(of: CLCircularRegion.self, forKey: "region")
    timeZone = text("timeZone").flatMap { TimeZone(identifier: $0) }
    (name, locality) = (text("name"), text("locality"))
    (administrativeArea, isoCountryCode) = (text("administrativeArea"), text("isoCountryCode"))
    country = text("country")
    super.init()
  }

  open func encode(with coder: NSCoder) {
    func keep(_ text: String?, _ key: String) {
      if let text { coder.encode(text as NSString, forKey: key) }
    }
    coder.encode(location, forKey: "location")
    coder.encode(region, forKey: "region")
    keep(timeZone?.identifier, "timeZone")
    keep(name, "name")
    keep(locality, "locality")
    keep(administrativeArea, "administrativeArea")
    keep(isoCountryCode, "isoCountryCode")
    keep(country, "country")
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override var description: String {
    [name, administrativeArea, country].compactMap { $0 }.joined(separator: ", ")
  }
}

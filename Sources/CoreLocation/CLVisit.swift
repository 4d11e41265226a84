import Foundation
import LocationServices

/// A stay at one place.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  public let arrivalDate: Date
  /// `Date.distantFuture` while the board is still there.
  public let departureDate: Date
  public let coordinate: CLLocationCoordinate2D
  public let horizontalAccuracy: CLLocationAccuracy

  init(_ visit: Visit) {
    arrivalDate = Date(visit.arrival)
    departureDate = visit.departure.map { Date($0) } ?? .distantFuture
    coordinate = CLLocationCoordinate2D(visit.coordinate)
    horizontalAccuracy = visit.horizontalAccuracy
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    func date(_ key: String) -> Date {
      Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: key))
    }
    (arrivalDate, departureDate) = (date("arrivalDate"), date("departureDate"))
    coordinate = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"),
      longitude: coder.decodeDouble(forKey: "longitude"))
    horizontalAccuracy = coder.decodeDouble(forKey: "horizontalAccuracy")
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encode(arrivalDate.timeIntervalSinceReferenceDate, forKey: "arrivalDate")
    coder.encode(departureDate.timeIntervalSinceReferenceDate, forKey: "departureDate")
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

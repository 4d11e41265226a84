import Foundation

/// An area with a name. Regions of one name are the same one.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  public let identifier: String
  private let lock = NSLock()
  private var notifies = (entry: true, exit: true)

  /// Whether going in is told.
  open var notifyOnEntry: Bool {
    get { lock.withLock { notifies.entry } }
    set { lock.withLock { notifies.entry = newValue } }
  }

  /// Whether going out is told.
  open var notifyOnExit: Bool {
    get { lock.withLock { notifies.exit } }
    set { lock.withLock { notifies.exit = newValue } }
  }

  init(identifier: String) {
    self.identifier = identifier
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "identifier") else {
      return nil
    }
    identifier = name as String? ?? ""
    notifies = (
      coder.decodeBool(forKey: "notifyOnEntry"), coder.decodeBool(forKey: "notifyOnExit")
    )
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "identifier")
    coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(notifyOnExit, forKey: "notifyOnExit")
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLRegion)?.identifier == identifier
  }

  open override var hash: Int { identifier.hashValue }
}

/// All places within so many metres of one.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
  public let center: CLLocationCoordinate2D
  /// Metres.
  public let radius: CLLocationDistance

  public init(
    center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String
  ) {
    (self.center, self.radius) = (center, radius)
    super.init(identifier: identifier)
  }

  public required init?(coder: NSCoder) {
    center = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"),
      longitude: coder.decodeDouble(forKey: "longitude"))
    radius = coder.decodeDouble(forKey: "radius")
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(center.latitude, forKey: "latitude")
    coder.encode(center.longitude, forKey: "longitude")
    coder.encode(radius, forKey: "radius")
  }

  /// Whether the geodesic from the centre is no longer than the radius.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    center.position.distance(to: coordinate.position) <= radius
  }
}

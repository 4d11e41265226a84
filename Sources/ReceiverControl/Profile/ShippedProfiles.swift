/// The profiles of `Hardware/Receivers`, which are part of the program: no file needs to be
/// installed for them.
extension ReceiverProfile {
  package static let shipped: [ReceiverProfile] = texts.compactMap { id, text in
    // A profile that cannot be read does not ship: a test reads them all.
    try? ReceiverProfile(String(decoding: text, as: UTF8.self), id: id, path: id + ".profile")
  }

  /// What they are called, without a look at what they say.
  package static var shippedIDs: [String] { texts.map(\.id) }

  static let texts: [(id: String, text: [UInt8])] = [
    ("ublox-m10", PackageResources.ublox_m10_profile),
    ("ublox-m8", PackageResources.ublox_m8_profile),
    ("ublox-f9", PackageResources.ublox_f9_profile),
    ("mtk3339", PackageResources.mtk3339_profile),
    ("mtk3333", PackageResources.mtk3333_profile),
    ("l76k", PackageResources.l76k_profile),
    ("lc29h", PackageResources.lc29h_profile),
    ("teseo-liv3f", PackageResources.teseo_liv3f_profile),
    ("generic-nmea", PackageResources.generic_nmea_profile),
  ]

  package static func shipped(_ id: String) -> ReceiverProfile? { shipped.first { $0.id == id } }

  /// The one that is meant by this model; without a better one, that of a receiver of unknown
  /// make, which cannot sleep.
  package static func shipped(for model: ReceiverModel) -> ReceiverProfile? {
    shipped.first { $0.matches(model) } ?? shipped("generic-nmea")
  }
}

import TrackExport

/// What `log-dump` can print.
enum DumpFormat: String, CaseIterable, Sendable {
  case text, json, csv, gpx, kml, geojson, nmea, gpsd, html

  /// - Parameter tiles: The background of a page with a map.
  func makeWriter(tiles: String?) -> any RecordWriter {
    switch self {
    case .text: TextWriter()
    case .json: JSONWriter()
    case .csv: CSVWriter()
    case .gpx: GPXWriter()
    case .kml: KMLWriter()
    case .geojson: GeoJSONWriter()
    case .nmea: NMEAWriter()
    case .gpsd: GPSDWriter()
    case .html: HTMLWriter(tiles: tiles)
    }
  }

  /// Whether each receiver has a track of its own, so that their fixes must not be mixed.
  var hasTracks: Bool {
    switch self {
    case .gpx, .kml, .geojson, .html: true
    case .text, .json, .csv, .nmea, .gpsd: false
    }
  }

  /// Whether it shows where fixes are missing.
  var hasSegments: Bool { hasTracks || self == .text }

  /// Whether it has a place for events.
  var hasEvents: Bool {
    switch self {
    case .text, .json, .gpx, .kml, .geojson, .html: true
    case .csv, .nmea, .gpsd: false
    }
  }
}

import GNSS

/// What gpsd made of a log, as a client sees it after the last report of each epoch.
struct GPSDOutput {
  /// The values compared, by the names of TPV.
  static let names = ["mode", "lat", "lon", "altMSL", "altHAE", "speed", "track"]

  /// The epochs' times in the order of their first report, and their merged values.
  private(set) var times: [String] = []
  private(set) var values: [String: [String: Double]] = [:]
  /// The last satellite list of an epoch.
  private(set) var satellites: [String: [SkyEntry]] = [:]
  /// Of logs without any time: the positions, repeats left out.
  private(set) var positions: [[Double]] = []

  struct SkyEntry: Hashable {
    var prn: Int
    var azimuth: Int
    var elevation: Int
    var cn0: Int
    var isUsed: Bool
  }

  init(_ bytes: [UInt8]) {
    var now: String?
    for line in bytes.split(separator: 10) where line.starts(with: Array(#"{"class":"#.utf8)) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(#"{"class":"TPV""#) {
        take(tpv: text)
        now = Self.text("time", in: text[...]) ?? now
      } else if text.hasPrefix(#"{"class":"SKY""#), text.contains(#""satellites":[{"#) {
        guard let time = Self.text("time", in: text[...]) ?? now else { continue }
        satellites[time] = Self.entries(text)
      }
    }
  }

  private mutating func take(tpv text: String) {
    var found: [String: Double] = [:]
    for name in Self.names { found[name] = Self.number(name, in: text[...]) }
    if let time = Self.text("time", in: text[...]), found["mode"] != nil {
      if values[time] == nil { times.append(time) }
      values[time, default: [:]].merge(found) { $1 }
    }
    if let mode = found["mode"], let latitude = found["lat"], let longitude = found["lon"] {
      let position = [mode, (latitude * 1e6).rounded(), (longitude * 1e6).rounded()]
      if positions.last != position { positions.append(position) }
    }
  }

  private static func entries(_ text: String) -> [SkyEntry] {
    // Of one satellite listed twice, as for two signals, the last counts.
    var entries: [Int: SkyEntry] = [:]
    for object in text.split(separator: "{") where object.hasPrefix(#""PRN":"#) {
      let prn = Int(number("PRN", in: object) ?? 0)
      entries[prn] = SkyEntry(
        prn: prn, azimuth: Int((number("az", in: object) ?? -1).rounded()),
        elevation: Int((number("el", in: object) ?? -99).rounded()),
        cn0: Int((number("ss", in: object) ?? 0).rounded()),
        isUsed: object.contains(#""used":true"#))
    }
    return entries.values.sorted { $0.prn < $1.prn }
  }

  private static func rest(after name: String, in text: Substring) -> Substring? {
    let key = Array("\"\(name)\":".utf8)
    let utf8 = text.utf8
    var index = utf8.startIndex
    while index < utf8.endIndex {
      if utf8[index] == key[0], utf8[index...].starts(with: key) {
        return text[utf8.index(index, offsetBy: key.count)...]
      }
      index = utf8.index(after: index)
    }
    return nil
  }

  private static func number(_ name: String, in text: Substring) -> Double? {
    rest(after: name, in: text).flatMap { Double($0.prefix { !",}]".contains($0) }) }
  }

  private static func text(_ name: String, in text: Substring) -> String? {
    rest(after: name, in: text).map { String($0.dropFirst().prefix { $0 != "\"" }) }
  }
}

extension Epoch {
  /// By the names of TPV.
  var tpv: [String: Double] {
    var values: [String: Double] = ["mode": Double(fix.mode.rawValue)]
    values["lat"] = fix.position?.latitude
    values["lon"] = fix.position?.longitude
    values["altMSL"] = fix.altitudeMSL
    values["altHAE"] = fix.altitudeEllipsoid
    values["speed"] = fix.speed
    values["track"] = fix.course
    return values
  }

  var sky: [GPSDOutput.SkyEntry] {
    var entries: [Int: GPSDOutput.SkyEntry] = [:]
    for satellite in satellites {
      let prn = satellite.prn ?? 0
      entries[prn] = GPSDOutput.SkyEntry(
        prn: prn, azimuth: Int(satellite.azimuth ?? -1), elevation: Int(satellite.elevation ?? -99),
        cn0: Int(satellite.cn0 ?? 0), isUsed: satellite.isUsed)
    }
    return entries.values.sorted { $0.prn < $1.prn }
  }
}

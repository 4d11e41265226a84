import Bytes
import GNSS

/// Where the bow points: attitude, not the course over ground.
enum HeadingSentence {
  /// `HDT`: heading and T. `THS`: heading and a mode letter, of which V is void. NMEA 0183 4.11.
  static func trueHeading(_ fields: inout SentenceFields) -> Double? {
    let heading = fields.number()
    return fields.letter() == UInt8(ascii: "V") ? nil : valid(heading)
  }

  /// `HDG`: magnetic heading, deviation and variation with their letters. Without a variation the
  /// true heading is not known. NMEA 0183 4.11, HDG.
  static func magnetic(_ fields: inout SentenceFields) -> Double? {
    let heading = fields.number()
    let deviation = signed(&fields) ?? 0
    guard let variation = signed(&fields), let heading = valid(heading) else { return nil }
    let sum = heading + deviation + variation
    return valid(sum < 0 ? sum + 360 : sum >= 360 ? sum - 360 : sum)
  }

  /// `PASHR`: time of day, heading, T, roll, pitch and heave. Source: Ashtech and OxTS manuals.
  static func ashtech(_ fields: inout SentenceFields) -> (time: TimeOfDay, heading: Double)? {
    guard let time = fields.timeOfDay(), let heading = valid(fields.number()),
      fields.letter() == UInt8(ascii: "T")
    else { return nil }
    return (time, heading)
  }

  private static func signed(_ fields: inout SentenceFields) -> Double? {
    let value = fields.number()
    switch fields.letter() {
    case UInt8(ascii: "E"): return value
    case UInt8(ascii: "W"): return value.map { -$0 }
    default: return nil
    }
  }

  private static func valid(_ heading: Double?) -> Double? {
    heading.flatMap { (0...360).contains($0) ? ($0 == 360 ? 0 : $0) : nil }
  }
}

/// The datum that positions refer to. NMEA 0183 4.11, DTM.
enum DatumSentence {
  /// `nil` where the field is blank.
  static func isOther(_ fields: inout SentenceFields) -> Bool? {
    let code = fields.text()
    return code.isEmpty ? nil : !code.elementsEqual("W84")
  }
}

import Bytes
import GNSS
import GNSSWire

/// Streams of NMEA 0183 4.11 as a receiver with two constellations sends them: RMC VTG GGA GSA GSA
/// GSV GSV GSV GSV GST, some 640 bytes an epoch.
enum SyntheticNMEA {
  static func corpus(_ name: String, byteCount: Int, step: Duration) -> Corpus {
    var journey = SyntheticJourney(seed: 1, step: step, satelliteCount: 16)
    var output = OutputBuffer(capacity: byteCount + 2048)
    var epochs: [CorpusEpoch] = []
    while output.count < byteCount {
      journey.advance()
      append(journey, to: &output)
      epochs.append(CorpusEpoch(end: output.count, time: journey.time.milliseconds))
    }
    return Corpus(
      name: name, bytes: output.bytes, epochs: epochs, messageCount: epochs.count * sentenceCount)
  }

  private static let sentenceCount = 10

  private static func append(_ journey: SyntheticJourney, to output: inout OutputBuffer) {
    appendSolution(journey, to: &output)
    output.appendSentence("GNVTG") { fields in
      fields.field(journey.course, 2)
      fields.append(",T,,M")
      fields.field(journey.speed / knot, 3)
      fields.append(",N")
      fields.field(journey.speed * 3.6, 3)
      fields.append(",K,A")
    }
    appendGGA(journey, to: &output)
    for constellation in [UInt8(0), 6] {
      appendUsed(journey, constellation, to: &output)
    }
    for constellation in [UInt8(0), 6] { appendView(journey, constellation, to: &output) }
    output.appendSentence("GNGST") { fields in
      fields.append(byte: UInt8(ascii: ","))
      fields.append(clock: journey.time)
      fields.field(journey.accuracy * 4, 1)
      fields.append(",,,")
      fields.field(journey.accuracy * 0.7, 2)
      fields.field(journey.accuracy * 0.8, 2)
      fields.field(journey.accuracy * 1.6, 2)
    }
  }

  private static let knot = 1852.0 / 3600

  static func appendSolution(_ journey: SyntheticJourney, to output: inout OutputBuffer) {
    output.appendSentence("GNRMC") { fields in
      fields.append(byte: UInt8(ascii: ","))
      fields.append(clock: journey.time)
      fields.append(",A")
      fields.append(position: journey)
      fields.field(journey.speed / knot, 3)
      fields.field(journey.course, 2)
      let date = journey.time.date
      fields.append(",")
      for part in [date.day, date.month, date.year % 100] {
        fields.append(decimal: part, width: 2)
      }
      fields.append(",,,A,V")
    }
  }

  static func appendGGA(_ journey: SyntheticJourney, to output: inout OutputBuffer) {
    output.appendSentence("GNGGA") { fields in
      fields.append(byte: UInt8(ascii: ","))
      fields.append(clock: journey.time)
      fields.append(position: journey)
      fields.append(",1,12")
      fields.field(journey.hdop, 2)
      fields.field(journey.height, 1)
      fields.append(",M")
      fields.field(journey.geoidSeparation, 1)
      fields.append(",M,,")
    }
  }

  private static func appendUsed(
    _ journey: SyntheticJourney, _ constellation: UInt8, to output: inout OutputBuffer
  ) {
    output.appendSentence("GNGSA") { fields in
      fields.append(",A,3")
      let used = journey.satellites.filter { $0.constellation == constellation }.prefix(6)
      for satellite in used { fields.append(number: satellite) }
      for _ in used.count..<12 { fields.append(",") }
      fields.field(journey.hdop * 1.7, 2)
      fields.field(journey.hdop, 2)
      fields.field(journey.hdop * 1.4, 2)
      fields.append(constellation == 0 ? ",1" : ",2")
    }
  }

  /// Four satellites a sentence.
  private static func appendView(
    _ journey: SyntheticJourney, _ constellation: UInt8, to output: inout OutputBuffer
  ) {
    let view = journey.satellites.filter { $0.constellation == constellation }
    let sentenceCount = (view.count + 3) / 4
    for index in 0..<sentenceCount {
      output.appendSentence(constellation == 0 ? "GPGSV" : "GLGSV") { fields in
        for number in [sentenceCount, index + 1] {
          fields.append(byte: UInt8(ascii: ","))
          fields.append(decimal: number)
        }
        fields.append(byte: UInt8(ascii: ","))
        fields.append(decimal: view.count, width: 2)
        for satellite in view[(index * 4)..<min(index * 4 + 4, view.count)] {
          fields.append(number: satellite)
          for (value, width) in [
            (satellite.elevation, 2), (satellite.azimuth, 3), (satellite.cn0, 2),
          ] {
            fields.append(byte: UInt8(ascii: ","))
            fields.append(decimal: Int(value), width: width)
          }
        }
        fields.append(",1")
      }
    }
  }
}

extension UTCTime {
  /// As gpsd's reports have it: `2026-09-01T00:00:00.000Z`.
  var milliseconds: String {
    var output = OutputBuffer()
    output.append(time: self, fractionDigits: 3)
    return output.text
  }
}

extension OutputBuffer {
  /// A comma and a number.
  fileprivate mutating func field(_ value: Double, _ decimals: Int) {
    append(byte: UInt8(ascii: ","))
    append(fixed: value, decimals: decimals)
  }

  /// `hhmmss.ss`
  fileprivate mutating func append(clock time: UTCTime) {
    let hundredths = Int(time.timeOfDay.microseconds / 10_000)
    let seconds = hundredths / 100
    for part in [seconds / 3600, seconds / 60 % 60, seconds % 60] {
      append(decimal: part, width: 2)
    }
    append(byte: UInt8(ascii: "."))
    append(decimal: hundredths % 100, width: 2)
  }

  /// `,ddmm.mmmmmm,N,dddmm.mmmmmm,E`
  fileprivate mutating func append(position journey: SyntheticJourney) {
    for (degrees, width, name) in [
      (journey.latitude, 2, "N"), (journey.longitude, 3, "E"),
    ] {
      let millionths = Int(degrees * 60e6)
      append(byte: UInt8(ascii: ","))
      append(decimal: millionths / 60_000_000, width: width)
      append(decimal: millionths / 1_000_000 % 60, width: 2)
      append(byte: UInt8(ascii: "."))
      append(decimal: millionths % 1_000_000, width: 6)
      append(byte: UInt8(ascii: ","))
      append(text: name)
    }
  }

  /// A comma and the number that NMEA gives to a satellite: GLONASS ones begin at 65.
  fileprivate mutating func append(number satellite: SyntheticJourney.Satellite) {
    append(byte: UInt8(ascii: ","))
    append(decimal: satellite.number + (satellite.constellation == 6 ? 64 : 0), width: 2)
  }
}

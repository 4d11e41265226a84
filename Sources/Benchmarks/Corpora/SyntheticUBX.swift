import Bytes
import GNSS
import GNSSWire

/// Streams of UBX as an M10 sends them: NAV-PVT, NAV-SAT with 32 satellites, NAV-DOP and NAV-EOE,
/// 538 bytes an epoch; and of several protocols in turn.
enum SyntheticUBX {
  /// 25 epochs a second.
  static func corpus(byteCount: Int) -> Corpus {
    var journey = SyntheticJourney(seed: 2, step: .milliseconds(40), satelliteCount: 32)
    var output = OutputBuffer(capacity: byteCount + 2048)
    var epochs: [CorpusEpoch] = []
    while output.count < byteCount {
      journey.advance()
      appendPVT(journey, to: &output)
      appendSatellites(journey, to: &output)
      appendEnd(journey, to: &output)
      epochs.append(CorpusEpoch(end: output.count, time: journey.time.milliseconds))
    }
    return Corpus(
      name: "synth-pvt", bytes: output.bytes, epochs: epochs, messageCount: epochs.count * 4)
  }

  /// 5 epochs a second of NMEA (RMC, GGA) and UBX (PVT, SAT, DOP, EOE) together, each followed by a
  /// frame of RTCM 3.
  static func mixed(byteCount: Int) -> Corpus {
    var journey = SyntheticJourney(seed: 3, step: .milliseconds(200), satelliteCount: 32)
    var output = OutputBuffer(capacity: byteCount + 2048)
    var epochs: [CorpusEpoch] = []
    while output.count < byteCount {
      journey.advance()
      SyntheticNMEA.appendSolution(journey, to: &output)
      appendPVT(journey, to: &output)
      SyntheticNMEA.appendGGA(journey, to: &output)
      appendSatellites(journey, to: &output)
      appendEnd(journey, to: &output)
      appendRTCM(journey.noise(180), to: &output)
      epochs.append(CorpusEpoch(end: output.count, time: journey.time.milliseconds))
    }
    return Corpus(
      name: "synth-mixed", bytes: output.bytes, epochs: epochs, messageCount: epochs.count * 7)
  }

  /// Milliseconds since the start of the GPS week, which is a Sunday's; GPS time is 18 s ahead.
  private static func timeOfWeek(_ time: UTCTime) -> UInt32 {
    let gpsEpoch: Int64 = 315_964_800_000
    return UInt32((time.microseconds / 1000 - gpsEpoch + 18_000) % 604_800_000)
  }

  private static func appendPVT(_ journey: SyntheticJourney, to output: inout OutputBuffer) {
    let time = journey.time
    output.appendUBX(messageClass: 0x01, id: 0x07) { payload in
      payload.append(littleEndian: timeOfWeek(time))
      payload.append(littleEndian: UInt16(time.date.year))
      payload.append(byte: UInt8(time.date.month))
      payload.append(byte: UInt8(time.date.day))
      let seconds = time.timeOfDay.microseconds / 1_000_000
      for part in [seconds / 3600, seconds / 60 % 60, seconds % 60] {
        payload.append(byte: UInt8(part))
      }
      payload.append(byte: 0x07)  // date, time, resolved
      payload.append(littleEndian: UInt32(20))
      payload.append(littleEndian: Int32(time.timeOfDay.microseconds % 1_000_000 * 1000))
      payload.append(byte: 3)
      payload.append(byte: 1)  // the fix is good
      payload.append(byte: 0)
      payload.append(byte: 20)
      for value in position(journey) { payload.append(littleEndian: Int32(value)) }
      for value in motion(journey) { payload.append(littleEndian: Int32(value)) }
      payload.append(littleEndian: UInt16(journey.hdop * 170))
      payload.append(count: 14, of: 0)
    }
  }

  /// Degrees in 1e-7, millimetres: longitude to vAcc.
  private static func position(_ journey: SyntheticJourney) -> [Double] {
    [
      journey.longitude * 1e7, journey.latitude * 1e7,
      (journey.height + journey.geoidSeparation) * 1000, journey.height * 1000,
      journey.accuracy * 1000, journey.accuracy * 1600,
    ]
  }

  /// Millimetres a second, degrees in 1e-5: velN to headAcc. The parts of the velocity are rough.
  private static func motion(_ journey: SyntheticJourney) -> [Double] {
    [
      journey.speed * 600, journey.speed * 800, -journey.climb * 1000, journey.speed * 1000,
      journey.course * 1e5, 150, 80_000,
    ]
  }

  private static func appendSatellites(
    _ journey: SyntheticJourney, to output: inout OutputBuffer
  ) {
    output.appendUBX(messageClass: 0x01, id: 0x35) { payload in
      payload.append(littleEndian: timeOfWeek(journey.time))
      payload.append(byte: 1)
      payload.append(byte: UInt8(journey.satellites.count))
      payload.append(count: 2, of: 0)
      for (index, satellite) in journey.satellites.enumerated() {
        payload.append(byte: satellite.constellation)
        payload.append(byte: UInt8(satellite.number))
        payload.append(byte: UInt8(satellite.cn0))
        payload.append(byte: UInt8(satellite.elevation))
        payload.append(littleEndian: Int16(satellite.azimuth))
        payload.append(littleEndian: Int16(index))
        // Quality 7, healthy, an ephemeris; every other one used.
        payload.append(littleEndian: UInt32(index % 2 == 0 ? 0x91f : 0x917))
      }
    }
  }

  private static func appendEnd(_ journey: SyntheticJourney, to output: inout OutputBuffer) {
    output.appendUBX(messageClass: 0x01, id: 0x04) { payload in
      payload.append(littleEndian: timeOfWeek(journey.time))
      for factor in [2.1, 1.7, 0.9, 1.4, 1.0, 0.7, 0.7] {
        payload.append(littleEndian: UInt16(journey.hdop * factor * 100))
      }
    }
    output.appendUBX(messageClass: 0x01, id: 0x61) { payload in
      payload.append(littleEndian: timeOfWeek(journey.time))
    }
  }

  /// A frame of message 1077 (GPS observations). Source: RTCM 10403, transport layer.
  private static func appendRTCM(_ content: [UInt8], to output: inout OutputBuffer) {
    let start = output.count
    let number: UInt16 = 1077
    output.append(byte: 0xd3)
    output.append(byte: UInt8((content.count + 2) >> 8))
    output.append(byte: UInt8((content.count + 2) & 0xff))
    output.append(byte: UInt8(number >> 4))
    output.append(byte: UInt8(number & 15) << 4)
    output.append(bytes: content)
    let check = output.withByteView { CRC24Q.checksum($0.extracting(start..<$0.count)) }
    for shift in [16, 8, 0] as [UInt32] {
      output.append(byte: UInt8(truncatingIfNeeded: check >> shift))
    }
  }
}

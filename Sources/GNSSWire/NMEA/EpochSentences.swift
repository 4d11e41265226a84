import Bytes
import GNSS

/// Which sentences an epoch is written as.
package struct SentenceSet: OptionSet, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let zda = SentenceSet(rawValue: 1)
  package static let rmc = SentenceSet(rawValue: 1 << 1)
  package static let vtg = SentenceSet(rawValue: 1 << 2)
  package static let gga = SentenceSet(rawValue: 1 << 3)
  package static let gsa = SentenceSet(rawValue: 1 << 4)
  package static let gsv = SentenceSet(rawValue: 1 << 5)
  package static let gst = SentenceSet(rawValue: 1 << 6)
  package static let gbs = SentenceSet(rawValue: 1 << 7)
}

/// Writes epochs as NMEA 0183 version 4.11, for receivers that do not speak it and for files.
extension OutputBuffer {
  /// Appends the sentences, in the order of the set. What is not known stays empty; a sentence that
  /// would say nothing is left out. GSV is written for an epoch that listed satellites itself.
  ///
  /// Simulated fixes say so (mode S, quality 8), so that nobody takes them for a real journey.
  /// A sentence with large values may pass the standard's 82 characters, as receivers' own do.
  package mutating func appendSentences(_ set: SentenceSet, of epoch: Epoch) {
    let fix = epoch.fix
    let talker = SentenceTalker(of: epoch)
    if set.contains(.zda) { appendZDA(fix, talker) }
    if set.contains(.rmc) { appendRMC(fix, talker) }
    if set.contains(.vtg), fix.speed != nil || fix.course != nil { appendVTG(fix, talker) }
    if set.contains(.gga) { appendGGA(fix, talker) }
    if set.contains(.gsa) { appendGSA(epoch, talker) }
    if set.contains(.gsv), epoch.satellitesAreFresh { appendGSV(epoch.satellites) }
    if set.contains(.gst), fix.hasPosition { appendGST(fix, talker) }
    if set.contains(.gbs), fix.hasPosition { appendGBS(fix, talker) }
  }

  private mutating func appendZDA(_ fix: Fix, _ talker: SentenceTalker) {
    guard let date = fix.shownTime?.date else { return }
    append(talker, "ZDA") { line in
      line.appendField(timeOf: fix)
      line.appendField(date.day, width: 2)
      line.appendField(date.month, width: 2)
      line.appendField(date.year, width: 4)
      line.append(",00,00")
    }
  }

  private mutating func appendRMC(_ fix: Fix, _ talker: SentenceTalker) {
    append(talker, "RMC") { line in
      line.appendField(timeOf: fix)
      line.append(fix.hasPosition ? ",A" : ",V")
      line.appendFields(fix.hasPosition ? fix.position : nil)
      line.appendField(fix.hasPosition ? fix.speedInKnots : nil, decimals: 3)
      line.appendField(fix.hasPosition ? fix.roundedCourse : nil, decimals: 2)
      line.append(byte: UInt8(ascii: ","))
      if let date = fix.shownTime?.date {
        line.append(pair: date.day)
        line.append(pair: date.month)
        line.append(pair: date.year % 100)
      }
      line.appendField(fix.magneticVariation.map(\.magnitude), decimals: 1)
      line.append(fix.magneticVariation.map { $0 < 0 ? ",W" : ",E" } ?? ",")
      line.appendMode(of: fix)
      line.append(",V")  // not meant for safe navigation
    }
  }

  private mutating func appendVTG(_ fix: Fix, _ talker: SentenceTalker) {
    append(talker, "VTG") { line in
      line.appendField(fix.roundedCourse, decimals: 2)
      line.append(",T,,M")
      line.appendField(fix.speedInKnots, decimals: 3)
      line.append(",N")
      line.appendField(fix.speed.map { $0 * 3.6 }, decimals: 3)
      line.append(",K")
      line.appendMode(of: fix)
    }
  }

  private mutating func appendGGA(_ fix: Fix, _ talker: SentenceTalker) {
    append(talker, "GGA") { line in
      line.appendField(timeOf: fix)
      line.appendFields(fix.hasPosition ? fix.position : nil)
      line.appendField(fix.hasPosition ? fix.status.sentenceQuality : 0)
      line.appendField(fix.satellitesUsed, width: 2)
      line.appendField(fix.dop.horizontal, decimals: 2)
      line.appendField(fix.hasPosition ? fix.altitudeMSL : nil, decimals: 2)
      line.append(",M")
      line.appendField(fix.hasPosition ? fix.geoidSeparation : nil, decimals: 2)
      line.append(",M")
      line.appendField(fix.differentialAge, decimals: 1)
      line.appendField(fix.differentialStation, width: 4)
    }
  }

  /// GST takes one standard deviation for each axis. Where only a radius is known it is taken for
  /// the root of the sum of both squares (DRMS), as receivers give it and as `AccuracyModel` reads
  /// it: what is written here comes back as the radius it was.
  private mutating func appendGST(_ fix: Fix, _ talker: SentenceTalker) {
    let statistics = fix.errorStatistics
    let axis = fix.axisDeviation
    guard axis ?? statistics?.latitude != nil else { return }
    append(talker, "GST") { line in
      line.appendField(timeOf: fix)
      line.appendField(statistics?.rms, decimals: 3)
      line.appendField(statistics?.semiMajor, decimals: 3)
      line.appendField(statistics?.semiMinor, decimals: 3)
      line.appendField(statistics?.orientation, decimals: 1)
      line.appendField(statistics?.latitude ?? axis, decimals: 3)
      line.appendField(statistics?.longitude ?? axis, decimals: 3)
      line.appendField(statistics?.altitude ?? fix.verticalAccuracy, decimals: 3)
    }
  }

  /// Expected errors, one standard deviation; no satellite is suspected.
  private mutating func appendGBS(_ fix: Fix, _ talker: SentenceTalker) {
    let axis = fix.axisDeviation
    guard let north = fix.errorStatistics?.latitude ?? axis,
      let east = fix.errorStatistics?.longitude ?? axis
    else { return }
    append(talker, "GBS") { line in
      line.appendField(timeOf: fix)
      line.appendField(north, decimals: 3)
      line.appendField(east, decimals: 3)
      line.appendField(fix.errorStatistics?.altitude ?? fix.verticalAccuracy, decimals: 3)
      line.append(",,,,,,")
    }
  }
}

extension Fix {
  /// Metres, one standard deviation to the north and to the east alike.
  fileprivate var axisDeviation: Double? { horizontalAccuracy.map { $0 / 2.0.squareRoot() } }

  /// A leap second is told as second 60 of the day that ends.
  fileprivate var shownTime: UTCTime? { isLeapSecond ? time.map { $0 + .seconds(-1) } : time }

  fileprivate var speedInKnots: Double? { speed.map { $0 * 3600 / 1852 } }

  fileprivate var roundedCourse: Double? { course.map { Bearing.rounded($0, decimals: 2) } }
}

extension RowWriter {
  /// `hhmmss.ss`, cut as receivers do it: epochs rarely stand between hundredths.
  @inline(__always)
  fileprivate mutating func appendField(timeOf fix: Fix) {
    append(byte: UInt8(ascii: ","))
    guard let time = fix.shownTime?.timeOfDay ?? fix.timeOfDay else { return }
    let hundredths = Int(min(max(time.microseconds, 0), 86_400_999_999) / 10_000)
    // Second 60 belongs to the minute that ends, wherever it came from.
    let second = hundredths / 100
    let minutes = min(second / 60, 1439)
    append(pair: minutes / 60)
    append(pair: minutes % 60)
    append(pair: second - minutes * 60 + (fix.isLeapSecond && fix.time != nil ? 1 : 0))
    append(byte: UInt8(ascii: "."))
    append(pair: hundredths % 100)
  }

  /// `ddmm.mmmmm,N,dddmm.mmmmm,E`
  @inline(__always)
  fileprivate mutating func appendFields(_ position: Coordinate?) {
    guard let position, position.isValid else { return append(",,,,") }
    let (latitude, longitude) = (Angle(position.latitude), Angle(position.longitude))
    append(byte: UInt8(ascii: ","))
    append(pair: latitude.degrees)
    append(minutes: latitude.minutes)
    append(position.latitude < 0 ? ",S" : ",N")
    append(byte: UInt8(ascii: ","))
    append(triple: longitude.degrees)
    append(minutes: longitude.minutes)
    append(position.longitude < 0 ? ",W" : ",E")
  }

  /// A position's angle, rounded once, as a whole number of the last digit, so that there are never
  /// 60 minutes.
  private struct Angle {
    let degrees: Int
    /// 1e-5 minutes.
    let minutes: Int

    @inline(__always)
    init(_ value: Double) {
      let perDegree = 6_000_000
      let scaled = Int((value.magnitude * Double(perDegree)).rounded())
      (degrees, minutes) = scaled.quotientAndRemainder(dividingBy: perDegree)
    }
  }

  @inline(__always)
  private mutating func append(minutes: Int) {
    append(pair: minutes / 100_000)
    append(byte: UInt8(ascii: "."))
    append(pair: minutes / 1000 % 100)
    append(triple: minutes % 1000)
  }

  @inline(__always)
  fileprivate mutating func appendMode(of fix: Fix) {
    append(byte: UInt8(ascii: ","))
    append(byte: fix.hasPosition ? fix.status.sentenceMode : UInt8(ascii: "N"))
  }
}

extension FixStatus {
  /// The quality in GGA. NMEA 0183 4.11, GGA.
  fileprivate var sentenceQuality: Int {
    switch self {
    case .unknown, .gps, .gnssDeadReckoning: 1
    case .dgps: 2
    case .pps: 3
    case .rtkFixed: 4
    case .rtkFloat: 5
    case .deadReckoning: 6
    case .time, .manual: 7
    case .simulated: 8
    }
  }

  /// The mode in RMC and VTG. NMEA 0183 4.11, RMC.
  fileprivate var sentenceMode: UInt8 {
    switch self {
    case .unknown, .gps, .gnssDeadReckoning: UInt8(ascii: "A")
    case .dgps: UInt8(ascii: "D")
    case .pps: UInt8(ascii: "P")
    case .rtkFixed: UInt8(ascii: "R")
    case .rtkFloat: UInt8(ascii: "F")
    case .deadReckoning: UInt8(ascii: "E")
    case .time, .manual: UInt8(ascii: "M")
    case .simulated: UInt8(ascii: "S")
    }
  }
}

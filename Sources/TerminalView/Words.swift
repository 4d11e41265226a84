import Bytes
import GNSS

/// Values as people read them.
enum Words {
  static func number(_ value: Double, decimals: Int) -> String {
    var output = OutputBuffer()
    output.append(fixed: value, decimals: decimals)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  /// `48.1173230° N`
  static func latitude(_ degrees: Double, _ style: TerminalStyle) -> String {
    number(abs(degrees), decimals: 7) + degree(style) + (degrees < 0 ? "S" : "N")
  }

  static func longitude(_ degrees: Double, _ style: TerminalStyle) -> String {
    number(abs(degrees), decimals: 7) + degree(style) + (degrees < 0 ? "W" : "E")
  }

  static func degree(_ style: TerminalStyle) -> String { style.hasUnicode ? "° " : " deg " }

  static func plusMinus(_ style: TerminalStyle) -> String { style.hasUnicode ? "±" : "+/- " }

  /// `2026-10-14 10:11:12`
  static func time(_ time: UTCTime) -> String {
    var output = OutputBuffer()
    output.append(time: time, fractionDigits: 0)
    let text = String(decoding: output.bytes, as: UTF8.self)
    return String(text.map { $0 == "T" ? " " : $0 }.filter { $0 != "Z" })
  }

  /// `3 s`, `4 min`, `2 h 10 min`
  static func span(seconds: Int) -> String {
    switch seconds {
    case ..<120: "\(max(seconds, 0)) s"
    case ..<7200: "\(seconds / 60) min"
    default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }

  private static let compass = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

  /// `NE` for 45.
  static func point(course: Double) -> String {
    guard course.isFinite else { return "" }
    let eighth = Int((course / 45).rounded().truncatingRemainder(dividingBy: 8))
    return compass[(eighth + 8) % 8]
  }

  static func mode(of fix: Fix) -> String {
    let mode =
      switch fix.mode {
      case .threeD: "3D fix"
      case .twoD: "2D fix"
      case .none: "no fix"
      case .unknown: "nothing heard"
      }
    guard fix.hasPosition, let status = fix.status.name, fix.status != .gps else { return mode }
    return "\(mode), \(status)"
  }
}

extension Constellation {
  /// Two letters, as in RINEX's long names and gpsd's screens.
  var label: String {
    switch self {
    case .gps: "GP"
    case .sbas: "SB"
    case .galileo: "GA"
    case .beidou: "BD"
    case .imes: "IM"
    case .qzss: "QZ"
    case .glonass: "GL"
    case .navic: "IR"
    }
  }

  /// One letter, as in RINEX 3 (section 3.5).
  var letter: String {
    switch self {
    case .gps: "G"
    case .sbas: "S"
    case .galileo: "E"
    case .beidou: "C"
    case .imes, .qzss: "J"
    case .glonass: "R"
    case .navic: "I"
    }
  }

  var colour: Colour {
    switch self {
    case .gps: .green
    case .sbas: .magenta
    case .galileo: .cyan
    case .beidou: .yellow
    case .imes, .qzss: .magenta
    case .glonass: .red
    case .navic: .blue
    }
  }
}

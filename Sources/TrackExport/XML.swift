import Bytes
import GNSS

/// What GPX and KML share.
extension OutputBuffer {
  /// Text between tags or in an attribute. Characters that XML 1.0 cannot carry become U+FFFD.
  mutating func append(xml text: String) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: append("&amp;")
      case 0x3c: append("&lt;")
      case 0x3e: append("&gt;")
      case 0x22: append("&quot;")
      case 0x9, 0xa, 0xd: append(byte: UInt8(ascii: " "))
      case 0..<0x20, 0x7f..<0xa0, 0xfffe, 0xffff: append(text: "\u{fffd}")
      default: append(text: String(scalar))
      }
    }
  }

  /// An xsd:dateTime. It knows no second 60: a leap second is written as the last millisecond
  /// before it, which keeps the order.
  mutating func append(xmlTime time: UTCTime, isLeapSecond: Bool) {
    guard isLeapSecond else {
      return append(
        time: time, fractionDigits: FixJSON.fractionDigits(microseconds: time.microseconds))
    }
    append(date: (time + .seconds(-1)).date)
    append("T23:59:59.999Z")
  }
}

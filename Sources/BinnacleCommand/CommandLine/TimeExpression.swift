import Bytes
import GNSS

/// Times as journalctl takes them (systemd.time(7)), always in UTC, as all output is: `2026-10-14
/// 05:06`, `05:06` (today), `today`, `yesterday`, `tomorrow`, `now`, `-2h`, `+1min 30s`, `90s ago`,
/// `@1791954367.5`, and RFC 3339 with a zone.
enum TimeExpression {
  /// What the help texts say of them.
  static let help = """
    A TIME is 'yesterday', 'today', 'now', '-2h', '90min ago', '05:06' (of today), \
    '2026-10-14 05:06', RFC 3339 or '@' and Unix seconds. Without a zone it is UTC, as are all \
    times in the output.
    """

  static func time(_ text: String, now: UTCTime) -> UTCTime? {
    let words = text.split(separator: " ").joined(separator: " ")
    switch words {
    case "now": return now
    case "today": return midnight(of: now)
    case "yesterday": return midnight(of: now) + .seconds(-86_400)
    case "tomorrow": return midnight(of: now) + .seconds(86_400)
    default: break
    }
    if words.hasPrefix("@") { return unixTime(words.dropFirst()) }
    if words.hasPrefix("-") { return span(words.dropFirst()).map { now + (.zero - $0) } }
    if words.hasPrefix("+") { return span(words.dropFirst()).map { now + $0 } }
    if words.hasSuffix(" ago") { return span(words.dropLast(4)).map { now + (.zero - $0) } }
    let bare = words.hasSuffix(" UTC") ? String(words.dropLast(4)) : words
    return UTCTime(iso8601: bare) ?? UTCTime(iso8601: "\(day(of: now))T\(bare)")
  }

  /// A length of time such as `2h`, `1min 30s`, `1.5 hours`; a number without unit is in seconds.
  static func span<Text: StringProtocol>(_ text: Text) -> Duration? {
    var total = Duration.zero
    var rest = Substring(text).drop { $0 == " " }
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[digits.endIndex...].drop { $0 == " " }
      let name = rest.prefix { $0.isLetter }
      rest = rest[name.endIndex...].drop { $0 == " " }
      guard let number = Double(digits), let unit = secondsPerUnit(name),
        number * unit <= spanSecondsMax
      else { return nil }
      total += .microseconds(Int64((number * unit * 1e6).rounded()))
      guard total <= .seconds(spanSecondsMax) else { return nil }
    }
    return total
  }

  /// Longer than any log: ten thousand years.
  private static let spanSecondsMax = 3.2e11

  private static func secondsPerUnit(_ name: Substring) -> Double? {
    switch name {
    case "us", "usec": 1e-6
    case "ms", "msec": 1e-3
    case "", "s", "sec", "second", "seconds": 1
    case "m", "min", "minute", "minutes": 60
    case "h", "hr", "hour", "hours": 3600
    case "d", "day", "days": 86_400
    case "w", "week", "weeks": 604_800
    case "M", "month", "months": 2_629_800
    case "y", "year", "years": 31_557_600
    default: nil
    }
  }

  private static func unixTime(_ text: Substring) -> UTCTime? {
    guard let seconds = Double(text), abs(seconds) <= spanSecondsMax else { return nil }
    return UTCTime(microseconds: Int64((seconds * 1e6).rounded()))
  }

  private static func midnight(of time: UTCTime) -> UTCTime {
    UTCTime(date: time.date, timeOfDay: TimeOfDay(microseconds: 0))
  }

  /// `2026-10-14`
  private static func day(of time: UTCTime) -> String {
    var buffer = OutputBuffer()
    buffer.append(date: time.date)
    return buffer.text
  }
}

import Bytes
import GNSS

extension TrackStatistics {
  /// What it adds up to, for people: one line for each group of values.
  package var lines: [String] {
    var lines = ["fixes \(fixCount), segments \(segmentCount), events \(eventCount)"]
    if let spikeCount { lines[0] += ", spikes removed \(spikeCount)" }
    if let first, let last { lines.append("from \(first.iso8601) to \(last.iso8601)") }
    lines.append("recorded \(Self.text(recorded)), moving \(Self.text(moving))")
    var buffer = OutputBuffer()
    buffer.append("distance ")
    buffer.append(fixed: distance / 1000, decimals: 3)
    buffer.append(" km")
    if let speedMax {
      buffer.append(", fastest ")
      buffer.append(fixed: speedMax, decimals: 1)
      buffer.append(" m/s")
    }
    if let altitudes {
      buffer.append(", altitude ")
      buffer.append(fixed: altitudes.lowerBound, decimals: 1)
      buffer.append(" to ")
      buffer.append(fixed: altitudes.upperBound, decimals: 1)
      buffer.append(" m")
    }
    if let energy {
      buffer.append(", energy ")
      buffer.append(fixed: energy, decimals: 1)
      buffer.append(" J")
    }
    return lines + [buffer.text]
  }

  /// `26:03:07`, in hours, minutes and seconds.
  private static func text(_ span: Duration) -> String {
    let seconds = Int(span.components.seconds)
    var buffer = OutputBuffer()
    buffer.append(decimal: seconds / 3600)
    for part in [seconds / 60 % 60, seconds % 60] {
      buffer.append(byte: UInt8(ascii: ":"))
      buffer.append(decimal: part, width: 2)
    }
    return buffer.text
  }
}

import Bytes
import GNSS

/// What only some receivers say of a fix: further dilutions, heading, differential correction and
/// error statistics. Most records hold none of it, and then it costs nothing.
struct FixExtras: Equatable {
  /// Bit n: value n of `table` is known.
  private(set) var known: UInt16 = 0
  /// As many as `table` has, or none while none was ever known.
  private(set) var values: [Int64] = []

  init() {}

  /// - Parameter previous: Of the fix before, whose values stand in for unknown ones.
  init(_ fix: Fix, after previous: FixExtras) {
    self = previous
    known = 0
    guard Self.isAny(in: fix) else { return }
    if values.isEmpty { values = Self.zeros }
    for (index, entry) in Self.table.enumerated() {
      guard let value = entry.get(fix).flatMap({ scaled($0, entry.scale) }) else { continue }
      values[index] = value
      known |= 1 << UInt16(index)
    }
  }

  func apply(to fix: inout Fix) {
    guard known != 0 else { return }
    for (index, entry) in Self.table.enumerated() where known & 1 << UInt16(index) != 0 {
      entry.set(&fix, Double(values[index]) / entry.scale)
    }
  }

  /// Whether a known value differs from the one before: whether the record needs the group.
  func differs(from previous: FixExtras) -> Bool { known != 0 && values != previous.values }

  /// The differences of the known values, in order.
  func appendDifferences(to previous: FixExtras, to output: inout OutputBuffer) {
    for index in values.indices where known & 1 << UInt16(index) != 0 {
      let before = previous.values.isEmpty ? 0 : previous.values[index]
      output.append(zigzag: values[index] &- before)
    }
  }

  mutating func readKnown(_ reader: inout ByteReader) -> Bool {
    guard let bits = reader.littleEndian(UInt16.self) else { return false }
    known = bits & (1 << UInt16(Self.table.count) - 1)
    if known != 0, values.isEmpty { values = Self.zeros }
    return true
  }

  mutating func readDifferences(_ reader: inout ByteReader) -> Bool {
    for index in values.indices where known & 1 << UInt16(index) != 0 {
      guard let difference = reader.zigzag() else { return false }
      values[index] &+= difference
    }
    return true
  }

  private static func isAny(in fix: Fix) -> Bool {
    fix.errorStatistics != nil || fix.heading != nil || fix.magneticVariation != nil
      || fix.dop.geometric != nil || fix.dop.time != nil || fix.dop.north != nil
      || fix.dop.east != nil || fix.differentialAge != nil || fix.differentialStation != nil
  }

  private static let zeros = [Int64](repeating: 0, count: table.count)

  private struct Entry: Sendable {
    let scale: Double
    let get: @Sendable (Fix) -> Double?
    let set: @Sendable (inout Fix, Double) -> Void
  }

  /// The order is that of the format: never change it, append only.
  private static let table: [Entry] = [
    Entry(scale: 1e2, get: { $0.dop.geometric }, set: { $0.dop.geometric = $1 }),
    Entry(scale: 1e2, get: { $0.dop.time }, set: { $0.dop.time = $1 }),
    Entry(scale: 1e2, get: { $0.dop.north }, set: { $0.dop.north = $1 }),
    Entry(scale: 1e2, get: { $0.dop.east }, set: { $0.dop.east = $1 }),
    Entry(scale: 1e5, get: { $0.heading }, set: { $0.heading = $1 }),
    Entry(scale: 1e5, get: { $0.magneticVariation }, set: { $0.magneticVariation = $1 }),
    Entry(scale: 1e3, get: { $0.differentialAge }, set: { $0.differentialAge = $1 }),
    Entry(
      scale: 1, get: { $0.differentialStation.map(Double.init) },
      set: { $0.differentialStation = Int($1) }),
    Entry(scale: 1e3, get: { $0.errorStatistics?.rms }, set: { $0.statistics.rms = $1 }),
    Entry(
      scale: 1e3, get: { $0.errorStatistics?.semiMajor }, set: { $0.statistics.semiMajor = $1 }),
    Entry(
      scale: 1e3, get: { $0.errorStatistics?.semiMinor }, set: { $0.statistics.semiMinor = $1 }),
    Entry(
      scale: 1e5, get: { $0.errorStatistics?.orientation },
      set: { $0.statistics.orientation = $1 }),
    Entry(
      scale: 1e3, get: { $0.errorStatistics?.latitude }, set: { $0.statistics.latitude = $1 }),
    Entry(
      scale: 1e3, get: { $0.errorStatistics?.longitude }, set: { $0.statistics.longitude = $1 }),
    Entry(
      scale: 1e3, get: { $0.errorStatistics?.altitude }, set: { $0.statistics.altitude = $1 }),
  ]
}

extension Fix {
  /// The error statistics, made on the first write.
  fileprivate var statistics: ErrorStatistics {
    get { errorStatistics ?? ErrorStatistics() }
    set { errorStatistics = newValue }
  }
}

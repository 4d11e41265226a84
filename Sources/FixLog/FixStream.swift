import Bytes
import GNSS

/// The running state of one stream of fixes within a block, the same for writer and reader: what
/// the next record is a difference to.
struct FixStream {
  private(set) var last = FixValues()
  private var latitudeStep: Int64 = 0
  private var longitudeStep: Int64 = 0
  private var timeStep: Int64 = 0
  private var isFresh = true
  /// What the record before held; `nil` before the stream's first.
  private var lastGroups: Groups?
  /// Units of 1e-9 degrees in one unit of stored latitude and longitude: 1 or 100.
  let positionUnit: Int64

  static let coarseUnit: Int64 = 100

  init(positionUnit: Int64) { self.positionUnit = positionUnit }

  /// The groups of fields that a record may hold. Raw values are the mask's bits.
  struct Groups: OptionSet {
    let rawValue: UInt64
    static let position = Groups(rawValue: 1 << 0)
    static let height = Groups(rawValue: 1 << 1)
    static let accuracy = Groups(rawValue: 1 << 2)
    static let motion = Groups(rawValue: 1 << 3)
    static let lag = Groups(rawValue: 1 << 4)
    static let time = Groups(rawValue: 1 << 5)
    static let motionAccuracy = Groups(rawValue: 1 << 6)
    static let geometry = Groups(rawValue: 1 << 7)
    static let quality = Groups(rawValue: 1 << 8)
    static let separation = Groups(rawValue: 1 << 9)
    /// A number that names the source bytes; this version writes none and skips it.
    static let source = Groups(rawValue: 1 << 10)
    static let extrasKnown = Groups(rawValue: 1 << 11)
    static let extras = Groups(rawValue: 1 << 12)
    /// Those that take one byte where nothing has changed.
    static let ofOneValue: Groups = [.height, .lag, .time, .separation]
  }

  /// Whether `values` can be stored in this stream's unit.
  func fits(_ values: FixValues) -> Bool {
    values.latitude % positionUnit == 0 && values.longitude % positionUnit == 0
  }

  // MARK: Writing

  /// What a record of `next` is to hold: the groups that are not as foreseen; or just what the
  /// record before held, so that the mask can be left out, where the groups that are there for
  /// nothing take no more than the mask.
  func groups(of next: FixValues, canBeAlike: Bool) -> (held: Groups, isAlike: Bool) {
    let second = second(next)
    var needed = changes(to: next)
    if second.latitude != 0 || second.longitude != 0 { needed.insert(.position) }
    if second.time != 0 { needed.insert(.time) }
    guard canBeAlike, let before = lastGroups, before.isSuperset(of: needed) else {
      return (needed, false)
    }
    let spare = before.subtracting(needed)
    let maskByteCount = needed.rawValue < 0x80 ? 1 : 2
    let isAlike =
      spare.isSubset(of: .ofOneValue) && spare.rawValue.nonzeroBitCount <= maskByteCount
    return (isAlike ? before : needed, isAlike)
  }

  /// Writes the payload of a record: the mask, unless it is left out, then `groups`.
  mutating func encode(
    _ next: FixValues, _ groups: Groups, withMask: Bool, to output: inout OutputBuffer
  ) {
    let second = second(next)
    lastGroups = groups
    if withMask { output.append(varint: groups.rawValue) }
    if groups.contains(.position) {
      output.append(zigzag: second.latitude)
      output.append(zigzag: second.longitude)
    }
    if groups.contains(.height) { output.append(zigzag: next.height &- last.height) }
    if groups.contains(.accuracy) {
      output.append(zigzag: next.horizontalAccuracy &- last.horizontalAccuracy)
      output.append(zigzag: next.verticalAccuracy &- last.verticalAccuracy)
    }
    if groups.contains(.motion) {
      output.append(zigzag: next.speed &- last.speed)
      output.append(zigzag: Self.turn(from: last.course, to: next.course))
      output.append(zigzag: next.down &- last.down)
    }
    if groups.contains(.lag) { output.append(zigzag: next.lag &- last.lag) }
    if groups.contains(.time) { output.append(zigzag: second.time) }
    encodeRare(groups, next, to: &output)
    follow(next)
  }

  private func second(
    _ next: FixValues
  ) -> (latitude: Int64, longitude: Int64, time: Int64) {
    (
      (next.latitude &- last.latitude &- latitudeStep) / positionUnit,
      (next.longitude &- last.longitude &- longitudeStep) / positionUnit,
      next.time &- last.time &- timeStep
    )
  }

  private func encodeRare(_ groups: Groups, _ next: FixValues, to output: inout OutputBuffer) {
    if groups.contains(.motionAccuracy) {
      output.append(zigzag: next.speedAccuracy &- last.speedAccuracy)
      output.append(zigzag: next.courseAccuracy &- last.courseAccuracy)
    }
    if groups.contains(.geometry) {
      output.append(zigzag: next.satellitesUsed &- last.satellitesUsed)
      output.append(zigzag: next.pdop &- last.pdop)
      output.append(zigzag: next.hdop &- last.hdop)
      output.append(zigzag: next.vdop &- last.vdop)
    }
    if groups.contains(.quality) {
      output.append(byte: next.modeAndStatus)
      output.append(byte: next.flags.rawValue)
      output.append(littleEndian: next.known.rawValue)
    }
    if groups.contains(.separation) { output.append(zigzag: next.separation &- last.separation) }
    if groups.contains(.extrasKnown) { output.append(littleEndian: next.more.known) }
    if groups.contains(.extras) { next.more.appendDifferences(to: last.more, to: &output) }
  }

  private func changes(to next: FixValues) -> Groups {
    var groups: Groups = []
    if next.height != last.height { groups.insert(.height) }
    if next.horizontalAccuracy != last.horizontalAccuracy
      || next.verticalAccuracy != last.verticalAccuracy
    {
      groups.insert(.accuracy)
    }
    if next.speed != last.speed || next.course != last.course || next.down != last.down {
      groups.insert(.motion)
    }
    if next.lag != last.lag { groups.insert(.lag) }
    if next.speedAccuracy != last.speedAccuracy || next.courseAccuracy != last.courseAccuracy {
      groups.insert(.motionAccuracy)
    }
    if next.satellitesUsed != last.satellitesUsed || next.pdop != last.pdop
      || next.hdop != last.hdop || next.vdop != last.vdop
    {
      groups.insert(.geometry)
    }
    if next.modeAndStatus != last.modeAndStatus || next.flags != last.flags
      || next.known != last.known
    {
      groups.insert(.quality)
    }
    if next.separation != last.separation { groups.insert(.separation) }
    if next.more.known != last.more.known { groups.insert(.extrasKnown) }
    if next.more.differs(from: last.more) { groups.insert(.extras) }
    return groups
  }

  /// The shorter way round.
  private static func turn(from: Int64, to: Int64) -> Int64 {
    let direct = to &- from
    let half = FixValues.courseTurn / 2
    if direct > half { return direct - FixValues.courseTurn }
    if direct < -half { return direct + FixValues.courseTurn }
    return direct
  }

  private mutating func follow(_ next: FixValues) {
    let before = (last.latitude, last.longitude, last.time)
    last = next
    noteSteps(from: before)
  }

  private mutating func noteSteps(from before: (latitude: Int64, longitude: Int64, time: Int64)) {
    guard !isFresh else {
      isFresh = false
      return
    }
    latitudeStep = last.latitude &- before.latitude
    longitudeStep = last.longitude &- before.longitude
    timeStep = last.time &- before.time
  }

  // MARK: Reading

  /// Reads a payload into `last`, in place, as a copy would take longer; `false` where it is cut
  /// short, and then nothing more can be read. Bytes behind the known fields are ignored: a later
  /// version's.
  /// - Parameter withMask: Without, the groups are those of the record before.
  mutating func decode(_ reader: inout ByteReader, withMask: Bool) -> Bool {
    if withMask { lastGroups = reader.varint().map(Groups.init(rawValue:)) }
    guard let groups = lastGroups else { return false }
    let before = (last.latitude, last.longitude, last.time)
    last.latitude &+= latitudeStep
    last.longitude &+= longitudeStep
    last.time &+= timeStep
    guard Self.decodeUsual(groups, &last, &reader, positionUnit),
      Self.decodeRare(groups, &last, &reader)
    else { return false }
    noteSteps(from: before)
    return true
  }

  private static func decodeUsual(
    _ groups: Groups, _ next: inout FixValues, _ reader: inout ByteReader, _ positionUnit: Int64
  ) -> Bool {
    if groups.contains(.position) {
      guard let latitude = reader.zigzag(), let longitude = reader.zigzag() else { return false }
      next.latitude &+= latitude &* positionUnit
      next.longitude &+= longitude &* positionUnit
    }
    if groups.contains(.height) {
      guard reader.add(to: &next.height) else { return false }
    }
    if groups.contains(.accuracy) {
      guard reader.add(to: &next.horizontalAccuracy), reader.add(to: &next.verticalAccuracy) else {
        return false
      }
    }
    if groups.contains(.motion) {
      guard reader.add(to: &next.speed), let turn = reader.zigzag(), reader.add(to: &next.down)
      else { return false }
      next.course &+= turn
      if next.course < 0 {
        next.course &+= FixValues.courseTurn
      } else if next.course >= FixValues.courseTurn {
        next.course &-= FixValues.courseTurn
      }
    }
    if groups.contains(.lag) {
      guard reader.add(to: &next.lag) else { return false }
    }
    return groups.contains(.time) ? reader.add(to: &next.time) : true
  }

  private static func decodeRare(
    _ groups: Groups, _ next: inout FixValues, _ reader: inout ByteReader
  ) -> Bool {
    if groups.contains(.motionAccuracy) {
      guard reader.add(to: &next.speedAccuracy), reader.add(to: &next.courseAccuracy) else {
        return false
      }
    }
    if groups.contains(.geometry) {
      guard reader.add(to: &next.satellitesUsed), reader.add(to: &next.pdop),
        reader.add(to: &next.hdop), reader.add(to: &next.vdop)
      else { return false }
    }
    if groups.contains(.quality) {
      guard let mode = reader.byte(), let flags = reader.byte(),
        let known = reader.littleEndian(UInt16.self)
      else { return false }
      next.modeAndStatus = mode
      next.flags = FixValues.Flags(rawValue: flags)
      next.known = FixValues.Known(rawValue: known)
    }
    if groups.contains(.separation) {
      guard reader.add(to: &next.separation) else { return false }
    }
    if groups.contains(.source) {
      guard reader.varint() != nil else { return false }
    }
    if groups.contains(.extrasKnown) {
      guard next.more.readKnown(&reader) else { return false }
    }
    return groups.contains(.extras) ? next.more.readDifferences(&reader) : true
  }
}

extension ByteReader {
  /// Adds the next signed number to `value`.
  fileprivate mutating func add(to value: inout Int64) -> Bool {
    guard let difference = zigzag() else { return false }
    value &+= difference
    return true
  }
}

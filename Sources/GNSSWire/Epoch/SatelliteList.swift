import GNSS

/// The satellites in view. Receivers list them in groups, one for each system and signal; a group
/// replaces its predecessor once it is complete, and never mixes with it.
struct SatelliteList {
  /// More groups than systems have signals are not kept; the least recent one makes room.
  static let groupCountMax = 32
  /// A GSV group may have nine sentences of four satellites; some receivers send more.
  private static let groupSatelliteCountMax = 64
  /// For so many epochs after a binary list sentences do not touch the list: they say the same with
  /// less.
  private static let binaryEpochCount: UInt32 = 8

  /// The satellites of one complete list of sentences; the first `groupCount` are valid.
  private struct Group {
    var key: UInt16 = 0
    var count = 0
    /// The epoch it was last complete in, and the one before.
    var epoch: UInt32 = 0
    var previousEpoch: UInt32 = 0
  }

  /// What is listed: first what is of no group, as binary messages list it, then the groups in
  /// their order. Behind it the group that is coming in and, until it is known to be whole, the
  /// first sentence of the next. The array keeps its size.
  private var places: [Satellite]
  private var count = 0
  private var groups = [Group](repeating: Group(), count: Self.groupCountMax)
  private var groupCount = 0
  /// What the group that is coming in has so far.
  private var incoming = IncomingGroup()
  private var used = UsedSatellites()
  private var usedEpoch: UInt32 = 0
  private var binaryEpoch: UInt32 = 0
  private var directionEpoch: UInt32 = 0
  /// Counts epochs from 16, so that nothing looks recent at first.
  private var epoch: UInt32 = 16
  private(set) var isFresh = false
  /// Satellites that found no room.
  private(set) var droppedCount = 0

  /// Asked for once: a constant of another module is a call.
  private let satelliteCountMax = Epoch.satelliteCountMax

  private struct IncomingGroup {
    var key: UInt16 = 0
    var sentenceCount = 0
    /// The number of the sentence that must come next; 0 while no group is open.
    var next = 0
    var count = 0
  }

  init() {
    places = Array(
      repeating: Satellite(constellation: .gps, svid: 0),
      count: satelliteCountMax + 2 * Self.groupSatelliteCountMax)
  }

  private var isBinary: Bool { epoch &- binaryEpoch < Self.binaryEpochCount }

  // MARK: Sentences

  /// What a GSV sentence was.
  enum Taken { case part, complete, torn }

  /// Takes one GSV sentence; `fields` stand at its first block.
  /// - Returns: Whether it completed its group.
  @inline(__always)
  mutating func take(_ sentence: GSV, _ fields: SentenceFields, talker: UInt16) -> Taken {
    let constellation = SatelliteNumber.constellation(talker: talker)
    let isFirst = sentence.messageNumber == 1
    guard let signal = takeBlocks(fields, talker: talker, of: constellation, isFirst: isFirst)
    else { return .torn }
    if isFirst { (incoming.sentenceCount, incoming.next) = (sentence.messageCount, 1) }
    let key = UInt16(constellation?.rawValue ?? 15) << 8 | UInt16(signal)
    if isFirst { incoming.key = key }
    // The signal may change within a group: some receivers list the second one's satellites last.
    guard sentence.messageNumber == incoming.next,
      sentence.messageCount == incoming.sentenceCount, key >> 8 == incoming.key >> 8
    else {
      incoming.next = 0
      return .part
    }
    guard sentence.messageNumber == sentence.messageCount else {
      incoming.next += 1
      return .part
    }
    incoming.next = 0
    commit()
    return .complete
  }

  /// Adds a sentence's satellites to the group that is coming in, or puts them in its place.
  /// - Returns: Their signal; `nil` where the sentence is torn and changed nothing.
  @inline(__always)
  private mutating func takeBlocks(
    _ all: SentenceFields, talker: UInt16, of constellation: Constellation?,
    isFirst: Bool
  ) -> UInt8? {
    let numbering = SatelliteNumbering(of: constellation)
    let start = count + incoming.count
    let limit = (isFirst ? start : count) + Self.groupSatelliteCountMax
    // It stands last, and is the signal's id unless that field turns out to be of a block.
    let expected = all.lastHexDigit ?? 0
    var (end, dropped, signal) = (start, 0, UInt8(0))
    let isWhole = places.withUnsafeMutableBufferPointer { places in
      var fields = all
      while true {
        switch GSV.next(&fields, talker: talker) {
        case .satellite(let number, var satellite):
          guard let (system, svid) = numbering.satellite(number) else { continue }
          guard end < limit else {
            dropped += 1
            continue
          }
          (satellite.constellation, satellite.svid, satellite.signal) = (system, svid, expected)
          places[end] = satellite
          end &+= 1
        case .signal(let id): signal = id
        case .end:
          if signal != expected {
            for index in start..<end { places[index].signal = signal }
          }
          return true
        case .torn: return false
        }
      }
    }
    guard isWhole else { return nil }
    if isFirst { move(start..<end, to: count) }
    incoming.count = end - (isFirst ? start : count)
    droppedCount += dropped
    return signal
  }

  /// Puts the group that came in into the place of its predecessor.
  private mutating func commit() {
    guard !isBinary else { return }
    isFresh = true
    let (key, signal) = (incoming.key, incoming.key & 0xff)
    var previousEpoch: UInt32 = 0
    var index = 0
    while index < groupCount {
      let group = groups[index]
      // A list without signals and one with them, of the same system, say the same.
      let isReplaced =
        group.key == key || (group.key >> 8 == key >> 8 && (signal == 0 || group.key & 0xff == 0))
      if group.key == key {
        previousEpoch = group.epoch == epoch ? group.previousEpoch : group.epoch
      }
      if isReplaced { removeGroup(at: index) } else { index += 1 }
    }
    if groupCount == Self.groupCountMax { removeGroup(at: 0) }
    let kept = min(incoming.count, satelliteCountMax - count)
    droppedCount += incoming.count - kept
    count += kept
    incoming.count = 0
    groups[groupCount] = Group(
      key: key, count: kept, epoch: epoch, previousEpoch: previousEpoch)
    groupCount += 1
  }

  /// Takes the satellites used that one GSA sentence lists; those of one epoch add up.
  @inline(__always)
  mutating func take(_ sentence: GSA, talker: UInt16) {
    if usedEpoch != epoch {
      used.removeAll()
      usedEpoch = epoch
    }
    let constellation =
      sentence.system.flatMap(SatelliteNumber.constellation(system:))
      ?? SatelliteNumber.constellation(talker: talker)
    used.add(sentence, of: constellation)
  }

  // MARK: Binary messages

  /// Starts one system's list anew.
  mutating func beginList(of constellation: Constellation) {
    var kept = 0
    for index in 0..<count where places[index].constellation != constellation {
      places[kept] = places[index]
      kept += 1
    }
    count = kept
    dropGroups()
  }

  /// Whether a recent binary list told where the satellites stand.
  var hasDirections: Bool { epoch &- directionEpoch < Self.binaryEpochCount }

  /// Starts a whole list anew.
  mutating func beginList(hasDirections: Bool) {
    count = 0
    dropGroups()
    if hasDirections { directionEpoch = epoch }
  }

  /// Only binary messages list from now on, and what is listed is of no group any more.
  private mutating func dropGroups() {
    (groupCount, incoming.count) = (0, 0)
    (binaryEpoch, isFresh) = (epoch, true)
  }

  mutating func append(_ satellite: Satellite) {
    guard count < satelliteCountMax else {
      droppedCount += 1
      return
    }
    places[count] = satellite
    count += 1
  }

  /// Lists what `fill` writes into the places it is given.
  /// - Parameters:
  ///   - most: How many satellites there can be.
  ///   - fill: Returns how many there were.
  @inline(__always)
  mutating func append(
    upTo most: Int, fill: (UnsafeMutableBufferPointer<Satellite>, _ room: Int) -> Int
  ) {
    let (start, room) = (count, min(most, satelliteCountMax - count))
    let filled = places.withUnsafeMutableBufferPointer { places in
      fill(UnsafeMutableBufferPointer(rebasing: places[start..<(start + room)]), room)
    }
    count += min(filled, room)
    droppedCount += max(filled - room, 0)
  }

  // MARK: The list

  /// Drops a group and its satellites; what lies behind moves up, the group that is coming in too.
  private mutating func removeGroup(at index: Int) {
    groupCount -= 1
    let (last, removed) = (groupCount, groups[index].count)
    var end = count - removed
    groups.withUnsafeMutableBufferPointer { groups in
      for place in index..<last {
        groups[place] = groups[place + 1]
        end -= groups[place].count
      }
    }
    move((end + removed)..<(count + incoming.count), to: end)
    count -= removed
  }

  private mutating func move(_ range: Range<Int>, to start: Int) {
    guard start != range.lowerBound, !range.isEmpty else { return }
    let stride = MemoryLayout<Satellite>.stride
    places.withUnsafeMutableBytes { bytes in
      let moved = bytes[(range.lowerBound * stride)..<(range.upperBound * stride)]
      UnsafeMutableRawBufferPointer(rebasing: bytes[(start * stride)...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: moved))
    }
  }

  // MARK: The end of an epoch

  /// Writes the list as it stands into `satellites` and begins the next epoch.
  mutating func close(into satellites: inout [Satellite]) {
    if isFresh, !isBinary { dropVanishedGroups() }
    if satellites.count == count, count > 0 {
      // As a rule: nothing is to be made larger or smaller.
      satellites.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: places[..<count]) }
    } else {
      satellites.removeAll(keepingCapacity: true)
      satellites.append(contentsOf: places[..<count])
    }
    if !isBinary { used.mark(&satellites) }
    if satellites.isEmpty { used.append(to: &satellites) }
    epoch &+= 1
    isFresh = false
  }

  /// A group that came together with one of this epoch's when that one was last sent, and did not
  /// come now, has nothing to list any more. Groups that are sent in turn are kept.
  private mutating func dropVanishedGroups() {
    var index = 0
    while index < groupCount {
      let group = groups[index]
      let isGone =
        group.epoch != epoch
        && groups[..<groupCount].contains {
          $0.epoch == epoch && $0.previousEpoch == group.epoch
        }
      if isGone { removeGroup(at: index) } else { index += 1 }
    }
  }
}

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

  private struct Group {
    var key: UInt16
    /// The epoch it was last complete in, and the one before.
    var epoch: UInt32
    var previousEpoch: UInt32
  }

  private var listed: [Satellite] = []
  /// The group of each of them, as far as they are of sentences.
  private var groupKeys: [UInt16] = []
  private var groups: [Group] = []
  private var incoming: [Satellite] = []
  private var incomingKey: UInt16 = 0
  private var incomingCount = 0
  /// The number of the sentence that must come next; 0 while no group is open.
  private var incomingNext = 0
  /// The satellites used, as `constellation << 8 | svid`.
  private var used: [UInt16] = []
  /// The same as a bit for each of them, so that each is found at once.
  private var usedBits = [UInt64](repeating: 0, count: Constellation.allCases.count * 4)
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
  private static let binaryGroup: UInt16 = 0xffff

  init() {
    listed.reserveCapacity(satelliteCountMax)
    groupKeys.reserveCapacity(satelliteCountMax)
    groups.reserveCapacity(Self.groupCountMax)
    incoming.reserveCapacity(Self.groupSatelliteCountMax)
    used.reserveCapacity(Epoch.satelliteCountMax)
  }

  private var isBinary: Bool { epoch &- binaryEpoch < Self.binaryEpochCount }

  // MARK: Sentences

  /// Takes one GSV sentence; `fields` stand at its first block.
  /// - Returns: Whether it completed its group.
  mutating func take(_ sentence: GSV, _ fields: inout SentenceFields, talker: UInt16) -> Bool {
    let constellation = SatelliteNumber.constellation(talker: talker)
    if sentence.messageNumber == 1 {
      incoming.removeAll(keepingCapacity: true)
      (incomingCount, incomingNext) = (sentence.messageCount, 1)
    }
    let start = incoming.count
    // Made once, as making one is a call to another module.
    var satellite = Satellite(constellation: .gps, svid: 0)
    for _ in 0..<sentence.blockCount {
      let block = GSV.Block(&fields)
      guard let number = block.number, number > 0,
        let (system, svid) = SatelliteNumber.satellite(number, of: constellation)
      else { continue }
      (satellite.constellation, satellite.svid) = (system, svid)
      (satellite.elevation, satellite.azimuth) = (block.elevation, block.azimuth)
      satellite.cn0 = block.cn0
      guard incoming.count < Self.groupSatelliteCountMax else {
        droppedCount += 1
        continue
      }
      incoming.append(satellite)
    }
    let signal = sentence.hasSignal ? fields.hexDigit() ?? 0 : 0
    for index in start..<incoming.count { incoming[index].signal = signal }
    let key = Self.key(talker: talker, constellation: constellation, signal: signal)
    if sentence.messageNumber == 1 { incomingKey = key }
    // The signal may change within a group: some receivers list the second one's satellites last.
    guard sentence.messageNumber == incomingNext, sentence.messageCount == incomingCount,
      key >> 8 == incomingKey >> 8
    else {
      incomingNext = 0
      return false
    }
    incomingNext += 1
    guard sentence.messageNumber == sentence.messageCount else { return false }
    incomingNext = 0
    commit()
    return true
  }

  private static func key(talker: UInt16, constellation: Constellation?, signal: UInt8) -> UInt16 {
    UInt16(constellation?.rawValue ?? 15) << 8 | UInt16(signal)
  }

  private mutating func commit() {
    guard !isBinary else { return }
    isFresh = true
    let (key, signal) = (incomingKey, incomingKey & 0xff)
    // A list without signals and one with them, of the same system, say the same.
    remove { _, group in
      group == key || (group >> 8 == key >> 8 && (signal == 0 || group & 0xff == 0))
    }
    for satellite in incoming { append(satellite) }
    fill(group: key)
    if let index = groups.firstIndex(where: { $0.key == key }) {
      if groups[index].epoch != epoch { groups[index].previousEpoch = groups[index].epoch }
      groups[index].epoch = epoch
    } else {
      if groups.count == Self.groupCountMax { groups.removeFirst() }
      groups.append(Group(key: key, epoch: epoch, previousEpoch: 0))
    }
  }

  /// Takes the satellites used that one GSA sentence lists; those of one epoch add up.
  mutating func take(_ sentence: GSA, talker: UInt16) {
    if usedEpoch != epoch {
      used.removeAll(keepingCapacity: true)
      for index in usedBits.indices { usedBits[index] = 0 }
      usedEpoch = epoch
    }
    let constellation =
      sentence.system.flatMap(SatelliteNumber.constellation(system:))
      ?? SatelliteNumber.constellation(talker: talker)
    sentence.forEachNumber { number in
      guard let (system, svid) = SatelliteNumber.satellite(number, of: constellation),
        used.count < satelliteCountMax
      else { return }
      let bit = Self.bit(of: system, svid)
      guard usedBits[bit >> 6] >> UInt64(bit & 63) & 1 == 0 else { return }
      usedBits[bit >> 6] |= 1 << UInt64(bit & 63)
      used.append(UInt16(bit))
    }
  }

  private static func bit(of constellation: Constellation, _ svid: UInt8) -> Int {
    Int(constellation.rawValue) << 8 | Int(svid)
  }

  // MARK: Binary messages

  /// Starts one system's list anew.
  mutating func beginList(of constellation: Constellation) {
    remove { satellite, _ in satellite.constellation == constellation }
    groups.removeAll(keepingCapacity: true)
    (binaryEpoch, isFresh) = (epoch, true)
  }

  /// Whether a recent binary list told where the satellites stand.
  var hasDirections: Bool { epoch &- directionEpoch < Self.binaryEpochCount }

  /// Starts a whole list anew.
  mutating func beginList(hasDirections: Bool) {
    listed.removeAll(keepingCapacity: true)
    groupKeys.removeAll(keepingCapacity: true)
    groups.removeAll(keepingCapacity: true)
    (binaryEpoch, isFresh) = (epoch, true)
    if hasDirections { directionEpoch = epoch }
  }

  mutating func append(_ satellite: Satellite) {
    guard listed.count < satelliteCountMax else {
      droppedCount += 1
      return
    }
    listed.append(satellite)
  }

  // MARK: The list

  /// Gives a group to all that have none yet.
  private mutating func fill(group: UInt16) {
    while groupKeys.count < listed.count { groupKeys.append(group) }
  }

  private mutating func remove(where isGone: (Satellite, UInt16) -> Bool) {
    fill(group: Self.binaryGroup)
    var kept = 0
    for index in listed.indices where !isGone(listed[index], groupKeys[index]) {
      if kept < index { (listed[kept], groupKeys[kept]) = (listed[index], groupKeys[index]) }
      kept += 1
    }
    listed.removeLast(listed.count - kept)
    groupKeys.removeLast(groupKeys.count - kept)
  }

  // MARK: The end of an epoch

  /// Writes the list as it stands into `satellites` and begins the next epoch.
  mutating func close(into satellites: inout [Satellite]) {
    if isFresh, !isBinary { dropVanishedGroups() }
    satellites.removeAll(keepingCapacity: true)
    satellites.append(contentsOf: listed)
    if !isBinary {
      let isMeasured = listed.contains { $0.cn0 != nil }
      for index in satellites.indices {
        let satellite = satellites[index]
        let bit = Self.bit(of: satellite.constellation, satellite.svid)
        // What is not tracked is not used, whatever GSA says of a moment before.
        satellites[index].isUsed =
          (satellite.cn0 != nil || !isMeasured) && usedBits[bit >> 6] >> UInt64(bit & 63) & 1 != 0
      }
    }
    if listed.isEmpty { appendUsed(to: &satellites) }
    epoch &+= 1
    isFresh = false
  }

  /// A group that came together with one of this epoch's when that one was last sent, and did not
  /// come now, has nothing to list any more. Groups that are sent in turn are kept.
  private mutating func dropVanishedGroups() {
    var index = 0
    while index < groups.count {
      let group = groups[index]
      let isGone =
        group.epoch != epoch
        && groups.contains { $0.epoch == epoch && $0.previousEpoch == group.epoch }
      if isGone {
        remove { _, key in key == group.key }
        groups.remove(at: index)
      } else {
        index += 1
      }
    }
  }

  /// What is used, of receivers that list nothing.
  private func appendUsed(to satellites: inout [Satellite]) {
    for key in used where satellites.count < Epoch.satelliteCountMax {
      guard let constellation = Constellation(rawValue: UInt8(key >> 8)) else { continue }
      var satellite = Satellite(
        constellation: constellation, svid: UInt8(truncatingIfNeeded: key))
      satellite.isUsed = true
      satellites.append(satellite)
    }
  }
}

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

  private var entries: [(satellite: Satellite, group: UInt16)] = []
  private var groups: [Group] = []
  private var incoming: [Satellite] = []
  private var incomingKey: UInt16 = 0
  private var incomingCount = 0
  /// The number of the sentence that must come next; 0 while no group is open.
  private var incomingNext = 0
  /// The satellites used, as `constellation << 8 | svid`.
  private var used: [UInt16] = []
  private var usedEpoch: UInt32 = 0
  private var binaryEpoch: UInt32 = 0
  private var directionEpoch: UInt32 = 0
  /// Counts epochs from 16, so that nothing looks recent at first.
  private var epoch: UInt32 = 16
  private(set) var isFresh = false
  /// Satellites that found no room.
  private(set) var droppedCount = 0

  init() {
    entries.reserveCapacity(Epoch.satelliteCountMax)
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
    for _ in 0..<sentence.blockCount {
      let block = GSV.Block(&fields)
      guard let number = block.number, number > 0,
        let (system, svid) = SatelliteNumber.satellite(number, of: constellation)
      else { continue }
      var satellite = Satellite(constellation: system, svid: svid)
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
    entries.removeAll {
      $0.group == key || ($0.group >> 8 == key >> 8 && (signal == 0 || $0.group & 0xff == 0))
    }
    for satellite in incoming {
      guard entries.count < Epoch.satelliteCountMax else {
        droppedCount += 1
        continue
      }
      entries.append((satellite, key))
    }
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
      usedEpoch = epoch
    }
    let constellation =
      sentence.system.flatMap(SatelliteNumber.constellation(system:))
      ?? SatelliteNumber.constellation(talker: talker)
    sentence.forEachNumber { number in
      guard let (system, svid) = SatelliteNumber.satellite(number, of: constellation),
        used.count < Epoch.satelliteCountMax
      else { return }
      let key = UInt16(system.rawValue) << 8 | UInt16(svid)
      if !used.contains(key) { used.append(key) }
    }
  }

  // MARK: Binary messages

  /// Starts one system's list anew.
  mutating func beginList(of constellation: Constellation) {
    entries.removeAll { $0.satellite.constellation == constellation }
    groups.removeAll(keepingCapacity: true)
    (binaryEpoch, isFresh) = (epoch, true)
  }

  /// Whether a recent binary list told where the satellites stand.
  var hasDirections: Bool { epoch &- directionEpoch < Self.binaryEpochCount }

  /// Starts a whole list anew.
  mutating func beginList(hasDirections: Bool) {
    entries.removeAll(keepingCapacity: true)
    groups.removeAll(keepingCapacity: true)
    (binaryEpoch, isFresh) = (epoch, true)
    if hasDirections { directionEpoch = epoch }
  }

  mutating func append(_ satellite: Satellite) {
    guard entries.count < Epoch.satelliteCountMax else {
      droppedCount += 1
      return
    }
    entries.append((satellite, 0xffff))
  }

  // MARK: The end of an epoch

  /// Writes the list as it stands into `satellites` and begins the next epoch.
  mutating func close(into satellites: inout [Satellite]) {
    if isFresh, !isBinary { dropVanishedGroups() }
    satellites.removeAll(keepingCapacity: true)
    let isMeasured = !isBinary && entries.contains { $0.satellite.cn0 != nil }
    for (satellite, _) in entries {
      var listed = satellite
      if !isBinary {
        // What is not tracked is not used, whatever GSA says of a moment before.
        listed.isUsed =
          (satellite.cn0 != nil || !isMeasured)
          && used.contains(
            UInt16(satellite.constellation.rawValue) << 8 | UInt16(satellite.svid))
      }
      satellites.append(listed)
    }
    if entries.isEmpty { appendUsed(to: &satellites) }
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
        entries.removeAll { $0.group == group.key }
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

/// What is kept for each receiver of a log. There are few: to look through them takes less time
/// than to compute a hash, and every record is looked up several times.
struct ReceiverTracks<Track: Sendable>: Sendable {
  private var entries: [(receiverID: UInt64, track: Track)] = []

  /// Receivers that are kept track of; a further one takes the place of all.
  private static var countMax: Int { 64 }

  init() {}

  subscript(receiverID: UInt64) -> Track? {
    entries.first { $0.receiverID == receiverID }?.track
  }

  mutating func set(_ track: Track, of receiverID: UInt64) {
    if let index = entries.firstIndex(where: { $0.receiverID == receiverID }) {
      entries[index].track = track
      return
    }
    if entries.count >= Self.countMax { entries.removeAll() }
    entries.append((receiverID, track))
  }

  mutating func updateEach(_ body: (inout Track) -> Void) {
    for index in entries.indices { body(&entries[index].track) }
  }
}

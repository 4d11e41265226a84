/// What is kept for each receiver of a log. There are few: to look through them takes less time
/// than to compute a hash, and every record is looked up several times.
struct ReceiverTracks<Track: Sendable>: Sendable {
  private struct Entry {
    let receiverID: UInt64
    var track: Track
  }

  private var entries: [Entry] = []

  /// Receivers that are kept track of; a further one takes the place of all.
  private static var countMax: Int { 64 }

  init() {}

  subscript(receiverID: UInt64) -> Track? {
    entries.first { $0.receiverID == receiverID }?.track
  }

  mutating func set(_ track: Track, of receiverID: UInt64) {
    if update(receiverID, { $0 = track }) == nil { add(track, of: receiverID) }
  }

  /// Changes what is kept of a receiver where it is; `nil` where nothing is.
  mutating func update<R>(_ receiverID: UInt64, _ body: (inout Track) -> R) -> R? {
    for index in entries.indices where entries[index].receiverID == receiverID {
      return body(&entries[index].track)
    }
    return nil
  }

  /// Keeps what is first known of a receiver.
  mutating func add(_ track: Track, of receiverID: UInt64) {
    if entries.count >= Self.countMax { entries.removeAll() }
    entries.append(Entry(receiverID: receiverID, track: track))
  }

  mutating func updateEach(_ body: (inout Track) -> Void) {
    for index in entries.indices { body(&entries[index].track) }
  }
}

/// What a client is still to be sent. Answers wait as long as it takes; of updates, which only grow
/// old, the oldest give way, and the client is told how many.
package struct ControlQueue: Sendable {
  /// Updates that may wait.
  package static let updateCountMax = 256
  /// Bytes of updates that may wait.
  package static let updateByteCountMax = 128 << 10
  /// With more bytes of answers waiting, no requests are taken from the client.
  package static let answerByteCountMax = 256 << 10

  private struct Entry {
    var line: [UInt8]
    var isUpdate: Bool
  }

  private var entries: [Entry] = []
  /// Where the entries begin: those before were sent.
  private var first = 0
  /// Of the first entry, what was sent.
  private var sentByteCount = 0
  private var updateCount = 0
  private var updateByteCount = 0
  private var answerByteCount = 0
  private var newlyLostCount = 0
  /// Updates that were lost since the client came.
  package private(set) var lostCount = 0

  package init() {}

  package var isEmpty: Bool { first == entries.count && newlyLostCount == 0 }
  package var isCongested: Bool { answerByteCount > Self.answerByteCountMax }

  /// Takes a line with its end.
  package mutating func add(answer line: [UInt8]) {
    entries.append(Entry(line: line, isUpdate: false))
    answerByteCount += line.count
  }

  /// Takes a line with its end; may drop older ones.
  package mutating func add(update line: [UInt8]) {
    entries.append(Entry(line: line, isUpdate: true))
    updateCount += 1
    updateByteCount += line.count
    var isDone = false
    while !isDone, updateCount > Self.updateCountMax || updateByteCount > Self.updateByteCountMax {
      isDone = !dropOldest()
    }
  }

  private mutating func dropOldest() -> Bool {
    // One that is partly sent must be sent wholly.
    let start = sentByteCount > 0 ? first + 1 : first
    guard let index = entries[start...].firstIndex(where: \.isUpdate) else { return false }
    let entry = entries.remove(at: index)
    updateCount -= 1
    updateByteCount -= entry.line.count
    newlyLostCount += 1
    lostCount += 1
    return true
  }

  /// Takes out what to send next: part of a line, a whole one, or the news of a loss.
  package mutating func next(byteCountMax: Int) -> [UInt8]? {
    if newlyLostCount > 0, sentByteCount == 0 {
      defer { newlyLostCount = 0 }
      return Array("{\"type\":\"lost\",\"count\":\(newlyLostCount)}\n".utf8)
    }
    guard first < entries.count else { return nil }
    let entry = entries[first]
    let end = min(sentByteCount + max(byteCountMax, 1), entry.line.count)
    let piece = Array(entry.line[sentByteCount..<end])
    sentByteCount = end
    if end == entry.line.count { finish(entry) }
    return piece
  }

  private mutating func finish(_ entry: Entry) {
    if entry.isUpdate {
      updateCount -= 1
      updateByteCount -= entry.line.count
    } else {
      answerByteCount -= entry.line.count
    }
    entries[first].line = []
    (first, sentByteCount) = (first + 1, 0)
    guard first == entries.count || first > Self.updateCountMax else { return }
    entries.removeFirst(first)
    first = 0
  }
}

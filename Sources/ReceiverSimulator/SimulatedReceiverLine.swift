import GNSS

/// What a receiver has yet to send, leaving at the pace of its port.
struct SimulatedReceiverLine: Sendable {
  private var pending: [UInt8] = []
  private var sentCount = 0
  /// When the last byte of what was sent had left.
  private var sentUntil = Monotonic.zero

  /// A receiver's output buffer. What does not fit is dropped, whole messages at a time.
  static let byteCountMax = 4096

  /// Bytes waiting.
  var count: Int { pending.count - sentCount }

  /// Appends a message, unless the buffer is full.
  mutating func append(_ message: [UInt8], at now: Monotonic) {
    if count == 0 { sentUntil = max(sentUntil, now) }
    guard count + message.count <= Self.byteCountMax else { return }
    pending.append(contentsOf: message)
  }

  mutating func removeAll() { (pending, sentCount) = ([], 0) }

  /// The bytes that have left by now.
  mutating func take(until now: Monotonic, baud: Int) -> [UInt8] {
    guard count > 0, now > sentUntil else { return [] }
    let perByte = 10_000_000_000 / Int64(max(baud, 300))
    let passed = (now - sentUntil).wholeNanoseconds / perByte
    let length = min(Int(min(passed, Int64(Self.byteCountMax))), count)
    guard length > 0 else { return [] }
    let taken = Array(pending[sentCount..<(sentCount + length)])
    sentCount += length
    sentUntil = sentUntil + .nanoseconds(Int64(length) * perByte)
    if sentCount == pending.count { removeAll() }
    return taken
  }

  /// When the last byte will have left; `nil` with nothing to send.
  func empty(baud: Int) -> Monotonic? {
    count > 0
      ? sentUntil + .nanoseconds(Int64(count) * 10_000_000_000 / Int64(max(baud, 300))) : nil
  }
}

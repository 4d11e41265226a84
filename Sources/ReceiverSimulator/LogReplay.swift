import Bytes
import GNSSWire

/// Cuts a captured log into the bursts that the receiver sent, each with the time it was sent at.
/// Put together again, the bursts are the log, byte by byte.
///
/// A burst begins with the first frame of another time than the one before. The times are those of
/// the protocol that says the first one, NMEA or UBX; the other's frames go along with it. Where
/// no time is said, a burst begins with the first kind of frame that repeats, and lasts a second.
package struct LogReplay {
  /// A burst that grows longer than this is delivered in parts. Bytes; 1.4 s at 460,800 baud.
  static let burstByteCountMax = 65_536
  /// A longer step of time, or one back, is a break in the log: it lasts `untimedStep`.
  static let stepMax = Duration.seconds(3600)
  static let untimedStep = Duration.seconds(1)

  private var bytes: [UInt8] = []
  /// How many of `bytes` were looked at; all of them belong to the burst that is being collected.
  private var scanned = 0
  private var due = Duration.zero
  private var clock: FrameClock.Reading?
  /// The kinds of frames in the burst that is being collected.
  private var kinds: Set<UInt64> = []
  private var isInputOver = false

  package init() {}

  /// Whether everything was fed and delivered.
  package var isFinished: Bool { isInputOver && bytes.isEmpty }

  /// Takes the next bytes of the log.
  package mutating func feed(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  /// No more bytes follow.
  package mutating func finish() { isInputOver = true }

  /// The log begins again, a second behind its end.
  package mutating func restart() {
    let due = due + Self.untimedStep
    self = LogReplay()
    self.due = due
  }

  /// Appends the next burst.
  ///
  /// - Returns: When it is due, counted from the first; `nil` while its end was not fed.
  package mutating func next(into output: inout OutputBuffer) -> Duration? {
    while true {
      let finding = bytes.withByteView { FrameScanner.next(in: $0, at: scanned) }
      switch finding {
      case .frame(_, let end):
        let frame = bytes.withByteView { FrameClock(of: $0.extracting(scanned..<end)) }
        if let due = begin(frame, into: &output) { return due }
        scanned += frame.byteCount
      case .noise(let end): scanned = end
      case .rejected(_, _, let resume): scanned = resume
      case .incomplete where isInputOver: scanned += 1
      case .end where isInputOver: return bytes.isEmpty ? nil : deliver(into: &output)
      case .incomplete, .end: return nil
      }
      if scanned >= Self.burstByteCountMax { return deliver(into: &output) }
    }
  }

  /// Delivers what was collected where `frame` begins a new burst.
  private mutating func begin(_ frame: FrameClock, into output: inout OutputBuffer) -> Duration? {
    defer { kinds.insert(frame.kind) }
    let isRepeated = kinds.contains(frame.kind)
    var step = Self.untimedStep
    switch (frame.time, clock) {
    case (.said(let reading), let before?) where reading.source == before.source:
      clock = reading
      guard reading.milliseconds != before.milliseconds else { return nil }
      let passed = reading.passed(since: before)
      if passed <= Self.stepMax { step = passed }
    case (.said(let reading), nil):
      clock = reading
      guard isRepeated else { return nil }
    case (.said, _?): return nil
    case (.blank, _): guard isRepeated else { return nil }
    case (.none, let before): guard isRepeated, before == nil, frame.isSingle else { return nil }
    }
    kinds.removeAll(keepingCapacity: true)
    guard scanned > 0 else { return nil }
    let delivered = deliver(into: &output)
    due += step
    return delivered
  }

  private mutating func deliver(into output: inout OutputBuffer) -> Duration {
    output.append(bytes: Array(bytes[..<scanned]))
    bytes.removeFirst(scanned)
    scanned = 0
    return due
  }
}

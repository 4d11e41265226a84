import Bytes
import GNSS

/// The bytes of one receiver in, its epochs out. Everything a receiver can send is taken in: what
/// is broken, unknown or hostile is counted. After the first epochs nothing is allocated.
package struct StreamDecoder {
  package var counts: StreamCounts {
    var counts = tallies
    counts.epochs = assembler.epochCount
    counts.late = assembler.lateCount
    counts.droppedSatellites = UInt64(assembler.satellites.droppedCount)
    return counts
  }
  /// How epochs are closed; live unless the bytes come from a file.
  package var closing: EpochClosing {
    get { assembler.closing }
    set { assembler.closing = newValue }
  }
  /// What may be taken for granted about the date; can change while the stream goes on.
  package var dates: DateSettings {
    get { assembler.dateSettings }
    set { assembler.dateSettings = newValue }
  }
  /// GPS time minus UTC in seconds, as the receiver has it from the satellites.
  package var leapSeconds: Int8? { assembler.leapSeconds.told.flatMap { Int8(exactly: $0) } }
  /// All that is known of the receiver.
  package var identity: ReceiverIdentity { identifier.identity }

  var tallies = StreamCounts()
  var assembler: EpochAssembler
  var identifier = ReceiverIdentifier()
  /// A candidate that was cut by the end of a chunk, and when its first byte was read.
  private var carried: [UInt8] = []
  private var carriedSince = Monotonic.zero
  private var lastByte = Monotonic.zero

  /// Room for the longest frame and what may be appended to look for its end.
  private static let carriedByteCount =
    FrameScanner.frameByteCountMax + SentenceScanner.sentenceByteCountMax

  package init(dates: DateSettings) {
    assembler = EpochAssembler(dates: dates)
    carried.reserveCapacity(Self.carriedByteCount)
  }

  /// Takes in the next bytes. How the stream is cut into calls changes nothing.
  package mutating func decode(
    _ bytes: ByteView, at now: Monotonic, report: (StreamReport) -> Void
  ) {
    tallies.byteCount &+= UInt64(bytes.count)
    lastByte = now
    var cursor = 0
    if !carried.isEmpty { cursor = finishCarried(bytes, at: now, report: report) }
    guard carried.isEmpty, cursor < bytes.count else { return }
    let rest = bytes.extracting(cursor..<bytes.count)
    let consumed = scan(rest, from: now, at: now, isLast: false, report: report)
    carry(rest.extracting(consumed..<rest.count), since: now)
  }

  /// The end of the stream: drops unfinished messages, but not what hides in them, and closes the
  /// last epoch.
  package mutating func finish(at now: Monotonic, report: (StreamReport) -> Void) {
    scanCarried(at: now, isLast: true, report: report)
    assembler.finish(report: report)
  }

  /// When `expire` is to be called if no byte comes before: at most 250 ms after the last byte, and
  /// at most half an epoch. `nil` if there is nothing to wait for.
  package var deadline: Monotonic? {
    mutating get { assembler.deadline(part: carried.isEmpty ? nil : lastByte) }
  }

  /// The stream is not read until then, so that an epoch is not over for want of bytes.
  package mutating func leaveUnread(until end: Monotonic) { assembler.extend(to: end) }

  /// Closes the open epoch, if its time has come. A binary frame that never ended is given up
  /// first: whole messages may hide in what a false start swallowed.
  package mutating func expire(at now: Monotonic, report: (StreamReport) -> Void) {
    guard let due = deadline, due <= now else { return }
    if let first = carried.first, first != UInt8(ascii: "$"), first != UInt8(ascii: "!") {
      scanCarried(at: now, isLast: true, report: report)
    }
    assembler.close(report)
  }

  // MARK: Frames

  /// Appends to the carried candidate until it is complete or given up, and nothing is carried.
  /// - Returns: How many bytes were taken.
  private mutating func finishCarried(
    _ bytes: ByteView, at now: Monotonic, report: (StreamReport) -> Void
  ) -> Int {
    var cursor = 0
    while !carried.isEmpty, cursor < bytes.count {
      let end = min(bytes.count, cursor + wantedByteCount(bytes, from: cursor))
      bytes.extracting(cursor..<end).withUnsafeBytes { carried.append(contentsOf: $0) }
      cursor = end
      scanCarried(at: now, isLast: false, report: report)
    }
    return cursor
  }

  /// How many bytes the carried candidate lacks; of a sentence, those up to the next line end.
  private func wantedByteCount(_ bytes: ByteView, from cursor: Int) -> Int {
    let finding = carried.withByteView { FrameScanner.next(in: $0, at: 0) }
    guard case .incomplete(let wireProtocol, let wanted) = finding else { return 1 }
    guard wireProtocol == .nmea else { return wanted }
    let limit = min(bytes.count, cursor + SentenceScanner.sentenceByteCountMax)
    var index = cursor
    while index < limit, bytes[index] != 0x0a { index += 1 }
    return max(index - cursor, wanted)
  }

  private mutating func scanCarried(
    at now: Monotonic, isLast: Bool, report: (StreamReport) -> Void
  ) {
    // Moved out, so that a message's view of it outlasts changes to the decoder.
    var bytes: [UInt8] = []
    swap(&bytes, &carried)
    let consumed = bytes.withByteView {
      scan($0, from: carriedSince, at: now, isLast: isLast, report: report)
    }
    if consumed > 0 { bytes.removeFirst(consumed) }
    swap(&bytes, &carried)
    if consumed > 0 { carriedSince = now }
  }

  private mutating func carry(_ rest: ByteView, since now: Monotonic) {
    guard !rest.isEmpty else { return }
    rest.withUnsafeBytes { carried.append(contentsOf: $0) }
    carriedSince = now
  }

  /// Takes every whole frame.
  /// - Parameters:
  ///   - first: When the first of the bytes was read.
  ///   - isLast: Whether nothing will come to complete a candidate.
  /// - Returns: Where an incomplete candidate begins.
  private mutating func scan(
    _ view: ByteView, from first: Monotonic, at now: Monotonic, isLast: Bool,
    report: (StreamReport) -> Void
  ) -> Int {
    var offset = 0
    while offset < view.count {
      // Whole sentences and UBX frames, which most streams consist of, need no closer look.
      let arrived = offset == 0 ? first : now
      if view.byte(unchecked: offset) == UInt8(ascii: "$"),
        let star = SentenceScanner.star(view, at: offset)
      {
        take(view, sentence: offset &+ 1, to: star, first: arrived, at: now, report: report)
        offset = star &+ SentenceScanner.checksumByteCount
        if view.hasLineEnd(at: offset) { offset &+= 2 }
        continue
      }
      if view.byte(unchecked: offset) == UBXFrame.sync1,
        let end = takeUBX(view, at: offset, first: arrived, now, report: report)
      {
        offset = end
        continue
      }
      switch FrameScanner.next(in: view, at: offset) {
      case .frame(let wireProtocol, let end):
        take(
          wireProtocol, view.extracting(offset..<end), first: arrived, at: now, report: report)
        offset = end
      case .rejected(_, let reason, let resume):
        reject(reason, at: now)
        offset = resume
      case .noise(let end):
        countNoise(view.extracting(offset..<end))
        offset = end
      case .incomplete:
        guard isLast else { return offset }
        reject(.torn, at: now)
        offset += 1
      case .end: return offset
      }
    }
    return offset
  }

  mutating func reject(_ reason: RejectReason, at now: Monotonic) {
    tallies.reject(reason)
    assembler.noteDamage(at: now)
  }

  @inline(__always)
  mutating func identify(_ family: ChipFamily, _ report: (StreamReport) -> Void) {
    if identifier.set(family: family) { report(.receiver(identity)) }
  }

  private mutating func countNoise(_ bytes: ByteView) {
    for index in bytes.indices where bytes[index] != 0x0d && bytes[index] != 0x0a {
      tallies.noiseByteCount &+= 1
    }
  }

  /// Takes a frame of any protocol.
  private mutating func take(
    _ wireProtocol: WireProtocol, _ frame: ByteView, first: Monotonic, at now: Monotonic,
    report: (StreamReport) -> Void
  ) {
    var arrival = Arrival(type: MessageType(rawValue: 0), first: first, last: now)
    let isAccepted: Bool
    switch wireProtocol {
    case .nmea:
      let star = frame.count - SentenceScanner.checksumByteCount
      return take(frame, sentence: 1, to: star, first: first, at: now, report: report)
    case .ubx:
      _ = takeUBX(frame, at: 0, first: first, now, report: report)
      return
    case .rtcm3:
      arrival.type = MessageType(
        .rtcm3, number: UInt16(frame[3]) << 4 | UInt16(frame[4]) >> 4)
      isAccepted = true
    case .casic:
      let type = UBXMessageType(messageClass: frame[4], id: frame[5])
      arrival.type = MessageType(.casic, number: type.code)
      let payload = frame.extracting(
        CASICFrame.headerByteCount..<(frame.count - CASICFrame.checksumByteCount))
      identify(.casic, report)
      isAccepted = takeCASIC(type, UBXPayload(payload), arrival, report: report)
    case .allystar:
      arrival.type = MessageType(.allystar, number: UInt16(frame[2]) << 8 | UInt16(frame[3]))
      isAccepted = true
      identify(.allystar, report)
    case .skytraq, .sirf:
      identify(wireProtocol == .sirf ? .sirf : .skytraq, report)
      arrival.type = MessageType(wireProtocol, number: UInt16(frame[4]))
      isAccepted = true
    }
    if isAccepted {
      tallies.accept(arrival.type, of: wireProtocol)
    } else {
      reject(.structure, at: now)
    }
  }
}

extension ByteView {
  /// Whether CR LF stands there.
  @inline(__always)
  fileprivate func hasLineEnd(at offset: Int) -> Bool {
    offset &+ 2 <= count && byte(unchecked: offset) == 0x0d && byte(unchecked: offset &+ 1) == 0x0a
  }
}

import GNSS

/// When an epoch is closed.
package enum EpochClosing: Equatable, Sendable {
  /// As soon as it can be known: by the learned last message, or when nothing comes for a while.
  case live
  /// In a file, where nothing needs to be known early: by the next epoch or the end.
  case recorded
}

/// Joins all messages of one instant into one epoch, whatever their order, and never two instants.
struct EpochAssembler {
  var draft = EpochDraft()
  /// Whether `draft` holds anything.
  private(set) var isOpen = false
  var satellites = SatelliteList()
  var closing = EpochClosing.live
  private(set) var pace = EpochPace()
  private(set) var epochCount: UInt64 = 0
  private(set) var lateCount: UInt64 = 0
  /// What is known of GPS time minus UTC.
  var leapSeconds = LeapSeconds()
  private var dates: DateResolver
  /// The epoch closed last: what still comes for it is late.
  private var closed = ClosedEpoch()
  /// UTC of day minus time of week modulo a day, milliseconds: joins messages that have only one.
  private var dayOffset: Int64?
  /// Whether a message was lost since the last with a time: it may have begun an epoch, so that
  /// what has no time may be of the open epoch or of that one.
  private var isInDoubt = false
  /// Whether positions were said to refer to a datum other than WGS-84.
  private var isOtherDatum = false
  /// Epochs since a sentence with a solution came; while they come, EOE does not end an epoch.
  private var epochsWithoutSentence = Self.sentenceEpochCount
  /// The date of a time that no open epoch has: it may be told before its epoch's first solution.
  private var told: (timeOfDay: TimeOfDay, date: CalendarDate)?
  /// How many dates were told since the last message with a solution.
  private var toldCount = 0

  /// Two times of one epoch differ by less than this: receivers round, and some let the time of
  /// week jitter by milliseconds.
  private static let jitterMicroseconds: Int64 = 10_000
  private static let weekMilliseconds: Int64 = 604_800_000
  private static let dayMilliseconds: Int64 = 86_400_000
  private static let sentenceEpochCount = 8
  /// So many times in a row and nothing else: the stream is of time alone, each an epoch.
  private static let toldCountAlone = 3

  private struct ClosedEpoch {
    var timeOfDay: TimeOfDay?
    var iTOWMilliseconds: UInt32?
    var lastByte: Monotonic?
  }

  init(dates: DateSettings) { self.dates = DateResolver(settings: dates) }

  var dateSettings: DateSettings {
    get { dates.settings }
    set { dates.settings = newValue }
  }

  /// When the open epoch is to be closed if nothing more comes.
  /// - Parameter part: When bytes of a message that is not complete yet were last read.
  // Changes nothing; but would be copied to be asked.
  mutating func deadline(part: Monotonic?) -> Monotonic? {
    guard closing == .live, isOpen, draft.hasSolution else { return nil }
    return max(draft.epoch.lastByte, part ?? draft.epoch.lastByte) + .nanoseconds(pace.idleLimit)
  }

  // MARK: Which epoch a message is of

  /// Joins a sentence with a time of day to its epoch; closes the open one if that is another.
  /// - Returns: Whether the sentence's values are wanted: not those of an epoch already closed.
  mutating func begin(
    _ timeOfDay: TimeOfDay?, from arrival: Arrival, solution: Bool,
    report: (StreamReport) -> Void
  ) -> Bool {
    isInDoubt = false
    guard let timeOfDay else {
      // Without a time, the message that came first tells where an epoch begins.
      if solution, isOpen, draft.firstSolution == arrival.type.rawValue { close(report) }
      open(arrival, solution: solution)
      return true
    }
    if isOpen, let known = knownTimeOfDay {
      if Self.agree(known, timeOfDay) {
        draft.timeOfDay = draft.timeOfDay ?? timeOfDay
        open(arrival, solution: solution)
        return true
      }
      if isLate(timeOfDay) { return late() }
      close(report)
    } else if isOpen, draft.firstSolution == arrival.type.rawValue {
      close(report)
    }
    if isLate(timeOfDay) { return late() }
    open(arrival, solution: solution)
    draft.timeOfDay = timeOfDay
    if let told, Self.agree(told.timeOfDay, timeOfDay) { draft.date = told.date }
    return true
  }

  /// Takes the date of a time of day. It begins no epoch, as some receivers tell a time that is
  /// ahead of their solutions, unless there are no solutions.
  /// - Returns: Whether it is of the open epoch.
  mutating func tell(
    _ date: CalendarDate, of timeOfDay: TimeOfDay, from arrival: Arrival,
    report: (StreamReport) -> Void
  ) -> Bool {
    if isOpen, let known = knownTimeOfDay, Self.agree(known, timeOfDay) {
      draft.date = draft.date ?? date
      open(arrival, solution: false)
      return true
    }
    told = (timeOfDay, date)
    toldCount += 1
    guard toldCount >= Self.toldCountAlone else { return false }
    defer { toldCount = Self.toldCountAlone }
    return begin(timeOfDay, from: arrival, solution: true, report: report)
  }

  /// Whether a time of day, if there is one, is that of the open epoch.
  func isOf(_ timeOfDay: TimeOfDay?) -> Bool {
    guard isOpen else { return false }
    guard let timeOfDay, let known = knownTimeOfDay else { return timeOfDay == nil }
    return Self.agree(known, timeOfDay)
  }

  /// Notes that a message was damaged.
  mutating func noteDamage(at now: Monotonic) {
    isInDoubt = true
    extend(to: now)
  }

  /// Notes a sentence that says nothing of the solution but shows that the burst goes on.
  mutating func extend(to now: Monotonic) {
    if isOpen, now.since(draft.epoch.lastByte) > 0 { draft.epoch.lastByte = now }
  }

  /// Takes the heading of a compass, which talks at its own pace: it begins no epoch and keeps none
  /// open.
  mutating func take(heading: Double?) {
    if isOpen, let heading { draft.fix.heading = heading }
  }

  /// Takes the datum of the positions to come.
  mutating func take(isOtherDatum: Bool?) {
    guard let isOtherDatum else { return }
    self.isOtherDatum = isOtherDatum
    if isOpen, isOtherDatum { draft.fix.isOtherDatum = true }
  }

  /// Joins a binary message to its epoch by the time of week.
  /// - Parameter utc: The time of day it also has, where it is valid; it decides.
  mutating func begin(
    iTOW: UInt32, utc: UTCTime? = nil, from arrival: Arrival, solution: Bool,
    report: (StreamReport) -> Void
  ) -> Bool {
    isInDoubt = false
    let timeOfDay = utc?.timeOfDay
    if isOpen, !isSameEpoch(iTOW: iTOW, timeOfDay: timeOfDay) {
      if isLate(iTOW: iTOW, timeOfDay: timeOfDay) { return late() }
      close(report)
    }
    if !isOpen, isLate(iTOW: iTOW, timeOfDay: timeOfDay) { return late() }
    open(arrival, solution: solution)
    draft.iTOWMilliseconds = iTOW
    if let timeOfDay {
      draft.timeOfDay = draft.timeOfDay ?? timeOfDay
      dayOffset = timeOfDay.microseconds / 1000 - Int64(iTOW) % Self.dayMilliseconds
    }
    return true
  }

  /// Joins a message without any time to the open epoch, or to the one that comes next.
  /// - Returns: Whether its values are wanted: not if they trail an epoch that was closed too
  ///   early, or if it cannot be known of which epoch they are.
  mutating func join(_ arrival: Arrival) -> Bool {
    if isInDoubt {
      extend(to: arrival.last)
      return false
    }
    if !isOpen, let lastByte = closed.lastByte, arrival.first.since(lastByte) < pace.idleLimit {
      return late()
    }
    open(arrival, solution: false)
    return true
  }

  // Inlined, as a call would be given a copy of all this.

  /// The open epoch's time of day, also by way of its time of week.
  @inline(__always)
  private var knownTimeOfDay: TimeOfDay? {
    if let timeOfDay = draft.timeOfDay { return timeOfDay }
    guard let iTOW = draft.iTOWMilliseconds, let dayOffset else { return nil }
    let day = Self.dayMilliseconds
    return TimeOfDay(microseconds: ((Int64(iTOW) + dayOffset) % day + day) % day * 1000)
  }

  @inline(__always)
  private func isSameEpoch(iTOW: UInt32, timeOfDay: TimeOfDay?) -> Bool {
    if let timeOfDay, let known = draft.timeOfDay { return Self.agree(known, timeOfDay) }
    if let known = draft.iTOWMilliseconds { return Self.agree(known, iTOW) }
    guard let known = draft.timeOfDay, let dayOffset else { return true }
    let day = Self.dayMilliseconds
    let sent = ((Int64(iTOW) + dayOffset) % day + day) % day * 1000
    return Self.agree(known, TimeOfDay(microseconds: sent))
  }

  private static func agree(_ one: TimeOfDay, _ other: TimeOfDay) -> Bool {
    abs(one.microseconds - other.microseconds) < jitterMicroseconds
  }

  private static func agree(_ one: UInt32, _ other: UInt32) -> Bool {
    let span = abs(Int64(one) - Int64(other))
    return min(span, weekMilliseconds - span) * 1000 < jitterMicroseconds
  }

  @inline(__always)
  private func isLate(_ timeOfDay: TimeOfDay) -> Bool {
    closed.timeOfDay.map { abs($0.microseconds - timeOfDay.microseconds) < 1000 } ?? false
  }

  @inline(__always)
  private func isLate(iTOW: UInt32, timeOfDay: TimeOfDay?) -> Bool {
    if let timeOfDay { return isLate(timeOfDay) }
    return closed.iTOWMilliseconds.map { Self.agree($0, iTOW) } ?? false
  }

  private mutating func late() -> Bool {
    lateCount += 1
    if !isOpen { pace.enderWasWrong() }
    return false
  }

  // MARK: Opening and closing

  private mutating func open(_ arrival: Arrival, solution: Bool) {
    if !isOpen || (!draft.hasSolution && isForgotten(at: arrival.first)) {
      beginDraft(arrival)
    } else if arrival.last.since(draft.epoch.lastByte) > 0 {
      pace.notePause(arrival.last.since(draft.epoch.lastByte))
    }
    draft.epoch.lastByte = arrival.last
    if solution {
      toldCount = 0
      draft.firstSolution = draft.firstSolution ?? arrival.type.rawValue
      if arrival.type.wireProtocol == .nmea { epochsWithoutSentence = 0 }
    }
  }

  /// Whether what came alone, long before, was the rest of an epoch that is gone.
  @inline(__always)
  private func isForgotten(at now: Monotonic) -> Bool {
    closing == .live && now.since(draft.epoch.lastByte) > pace.idleLimit
  }

  @inline(never)
  private mutating func beginDraft(_ arrival: Arrival) {
    draft.begin()
    draft.epoch.firstByte = arrival.first
    draft.fix.isOtherDatum = isOtherDatum
    isOpen = true
  }

  /// Notes that a message's values were taken; closes the epoch if it is known to be the last.
  mutating func taken(_ type: MessageType, report: (StreamReport) -> Void) {
    guard isOpen else { return }
    if pace.note(type), closing == .live, draft.hasSolution { close(report) }
  }

  /// The receiver said that its epoch is over.
  mutating func endOfEpoch(report: (StreamReport) -> Void) {
    if isOpen, draft.hasSolution, epochsWithoutSentence >= Self.sentenceEpochCount { close(report) }
  }

  /// Closes the open epoch and reports it; an epoch in which no solution was reported is none.
  mutating func close(_ report: (StreamReport) -> Void) {
    guard isOpen, draft.hasSolution else { return }
    isOpen = false
    pace.epochEnded()
    draft.epoch.satellitesAreFresh = satellites.isFresh
    satellites.close(into: &draft.epoch.satellites)
    draft.resolve(dates: &dates, at: draft.epoch.lastByte)
    if let before = closed.timeOfDay, let now = draft.timeOfDay {
      pace.noteInterval((now.microseconds - before.microseconds) * 1000)
    }
    closed = ClosedEpoch(
      timeOfDay: knownTimeOfDay, iTOWMilliseconds: draft.iTOWMilliseconds,
      lastByte: closing == .live ? draft.epoch.lastByte : nil)
    epochsWithoutSentence = min(epochsWithoutSentence + 1, Self.sentenceEpochCount)
    epochCount += 1
    withUnsafePointer(to: &draft.epoch) { report(.epoch($0)) }
  }

  /// The end of the stream: what was listed without a solution is reported too.
  mutating func finish(report: (StreamReport) -> Void) {
    if isOpen, !draft.hasSolution { draft.firstSolution = 0 }
    close(report)
  }
}

extension Monotonic {
  /// Nanoseconds. `Duration` counts in 128 bits, and a comparison of another module's type is a
  /// call: too much for every message.
  fileprivate func since(_ earlier: Monotonic) -> Int64 { nanoseconds &- earlier.nanoseconds }
}

/// The message being taken, and when its first byte and the bytes that completed it were read.
struct Arrival {
  var type: MessageType
  var first: Monotonic
  var last: Monotonic
}

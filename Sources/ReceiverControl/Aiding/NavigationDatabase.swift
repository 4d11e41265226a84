import Bytes
import GNSS
import GNSSWire

/// A u-blox receiver's ephemerides, almanac and clock, as saved on the host: messages that only the
/// same receiver with the same firmware may get back.
package struct NavigationDatabase: Equatable, Sendable {
  /// Unique id and firmware of the receiver.
  package var owner: String
  package var savedAt: UTCTime
  /// Payloads of UBX-MGA-DBD.
  package var messages: [[UInt8]]

  /// A receiver sends some hundred; more are not kept.
  package static let messageCountMax = 512
  package static let messageByteCountMax = 300
  /// Of no use behind this; behind four hours it saves no time, but almanac and clock still help.
  package static let ageMax = Duration.seconds(14 * 86_400)

  package init(owner: String, savedAt: UTCTime, messages: [[UInt8]]) {
    (self.owner, self.savedAt, self.messages) = (owner, savedAt, messages)
  }

  /// Whether this receiver may get it at this time.
  package func isFor(_ model: ReceiverModel, at now: UTCTime) -> Bool {
    model.databaseOwner == owner && now >= savedAt && now - savedAt <= Self.ageMax
  }

  // MARK: As a file

  private static let magic: [UInt8] = Array("BNAVDB01".utf8)

  /// The magic, the owner, the time, the messages, each with its length, and a CRC-32C of all.
  package var encoded: [UInt8] {
    var buffer = OutputBuffer()
    buffer.append(bytes: Self.magic)
    let name = Array(owner.utf8.prefix(Self.messageByteCountMax))
    buffer.append(varint: UInt64(name.count))
    buffer.append(bytes: name)
    buffer.append(zigzag: savedAt.microseconds)
    buffer.append(varint: UInt64(messages.count))
    for message in messages {
      buffer.append(varint: UInt64(message.count))
      buffer.append(bytes: message)
    }
    let checksum = buffer.withByteView { CRC32C.checksum($0) }
    buffer.append(littleEndian: checksum)
    return buffer.bytes
  }

  /// `nil` for anything that `encoded` did not write.
  package init?(encoded bytes: ByteView) {
    guard bytes.count >= Self.magic.count + 4 else { return nil }
    let body = bytes.extracting(0..<(bytes.count - 4))
    guard CRC32C.checksum(body) == bytes.littleEndian(at: bytes.count - 4, as: UInt32.self) else {
      return nil
    }
    var reader = ByteReader(body)
    guard let magic = reader.bytes(Self.magic.count), magic.copied() == Self.magic,
      let name = Self.block(&reader), let saved = reader.zigzag(), let count = reader.varint(),
      count <= UInt64(Self.messageCountMax)
    else { return nil }
    owner = name.text
    savedAt = UTCTime(microseconds: saved)
    messages = []
    for _ in 0..<count {
      guard let message = Self.block(&reader) else { return nil }
      messages.append(message.copied())
    }
    guard reader.isAtEnd else { return nil }
  }

  private static func block(_ reader: inout ByteReader) -> ByteView? {
    guard let count = reader.varint(), count <= UInt64(messageByteCountMax) else { return nil }
    return reader.bytes(Int(count))
  }
}

/// Asks a receiver for its navigation database, or gives it back, one message at a time.
package struct DatabaseTransfer: Sendable {
  package enum Event: Equatable, Sendable {
    case start
    case heard(Heard)
    case timerFired
  }

  package enum Command: Equatable, Sendable {
    case send(ReceiverCommand)
    case armTimer(Monotonic)
    /// The messages, as far as they came.
    case saved([[UInt8]])
    /// How many messages the receiver took.
    case restored(Int)
  }

  private enum Task: Equatable, Sendable {
    case save
    case restore([[UInt8]])
  }

  /// From the last message to when no more is to be expected.
  package static let savePatience = Duration.seconds(30)
  package static let restorePatience = Duration.seconds(5)
  /// Between the messages for a receiver that acknowledges none of them: its input buffer holds a
  /// kilobyte.
  package static let blindPause = Duration.milliseconds(100)

  private let task: Task
  private var messages: [[UInt8]] = []
  private var index = 0
  private var acceptedCount = 0
  private var exchange: Exchange?
  private var isBlind = false
  private var deadline = Monotonic.never
  private var isFinished = false

  /// Saves.
  package init() { task = .save }

  package init(restoring database: NavigationDatabase) { task = .restore(database.messages) }

  package mutating func handle(_ event: Event, at now: Monotonic) -> [Command] {
    guard !isFinished else { return [] }
    switch (task, event) {
    case (.save, .start):
      deadline = now + Self.savePatience
      return [.send(.poll(.mgaDBD)), .armTimer(deadline)]
    case (.save, .heard(.ubx(.mgaDBD, let payload))):
      if messages.count < NavigationDatabase.messageCountMax,
        payload.count <= NavigationDatabase.messageByteCountMax
      {
        messages.append(payload)
      }
      return []
    // The last word: how many there were; or that there are none.
    case (.save, .heard(.ubx(.mgaACK, let payload))) where payload.count >= 8 && payload[3] == 0x80:
      return finish(.saved(messages))
    case (.save, .timerFired): return now >= deadline ? finish(.saved(messages)) : []
    case (.restore(let all), .start): return next(of: all, at: now)
    case (.restore(let all), .heard(let heard)):
      guard !isBlind, let outcome = exchange?.take(heard, at: now) else { return [] }
      if case .answered = outcome { acceptedCount += 1 }
      index += 1
      return next(of: all, at: now)
    case (.restore(let all), .timerFired):
      guard now >= deadline, var current = exchange else { return [] }
      if acceptedCount == 0, index == 0 { isBlind = true }
      if isBlind {
        index += 1
        return next(of: all, at: now)
      }
      guard current.expire(at: now) == nil else { return finish(.restored(acceptedCount)) }
      exchange = current
      deadline = now + Self.restorePatience
      return [.send(current.command), .armTimer(deadline)]
    case (.save, .heard): return []
    }
  }

  private mutating func next(of all: [[UInt8]], at now: Monotonic) -> [Command] {
    guard all.indices.contains(index) else { return finish(.restored(acceptedCount)) }
    let command = ReceiverCommand.restoreDatabase(all[index])
    exchange = Exchange(command, baud: 0, at: now)
    deadline = now + (isBlind ? Self.blindPause : Self.restorePatience)
    return [.send(command), .armTimer(deadline)]
  }

  private mutating func finish(_ last: Command) -> [Command] {
    isFinished = true
    return [last]
  }
}

import GNSS

/// Who sent a fix: written once in each block that holds records of the stream.
package struct StreamDescriptor: Equatable, Sendable {
  /// A hash of the receiver's stable identity (udev path and serial number, never ttyUSBn).
  package var receiverID: UInt64
  /// The stable identity itself, as `devices` shows it; cut at 64 bytes of UTF-8.
  package var name: String
  /// The protocol that the position came by.
  package var wireProtocol: WireProtocol

  package enum WireProtocol: UInt8, Sendable {
    case unknown = 0
    case nmea = 1
    case ubx = 2
    case mixed = 3
    case casic = 4
  }

  package init(receiverID: UInt64, name: String, wireProtocol: WireProtocol = .unknown) {
    (self.receiverID, self.name, self.wireProtocol) = (receiverID, name, wireProtocol)
  }
}

/// What happened, other than fixes. Raw values are the subtypes on disk.
package enum EventKind: UInt64, CaseIterable, Sendable {
  case sessionStart = 1
  case sessionStop = 2
  case attach = 3
  case detach = 4
  case gap = 5
  case power = 6
  case clockStep = 7
  case regionEnter = 8
  case regionExit = 9
  case visitArrival = 10
  case visitDeparture = 11
  case configuration = 12
  case recordsLost = 13
  case recovery = 14
  case interference = 15
  case leapAnnouncement = 16
  /// Somebody changed who may know the location, or tried to.
  case authorization = 17
}

/// What a value of an event means. Raw values are the keys on disk; unknown ones are kept.
package struct EventKey: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Text: why it happened, in words for people.
  package static let reason = EventKey(rawValue: 1)
  /// Text: the receiver's stable identity.
  package static let receiver = EventKey(rawValue: 2)
  /// Text: the device node at that moment, such as `/dev/ttyACM0`.
  package static let node = EventKey(rawValue: 3)
  /// Text: the program's version.
  package static let version = EventKey(rawValue: 4)
  /// Text: the kernel's boot id.
  package static let bootID = EventKey(rawValue: 5)
  /// Number: UTC, microseconds since 1970.
  package static let from = EventKey(rawValue: 6)
  /// Number: UTC, microseconds since 1970.
  package static let to = EventKey(rawValue: 7)
  /// Number: how many.
  package static let count = EventKey(rawValue: 8)
  /// Number: bytes.
  package static let byteCount = EventKey(rawValue: 9)
  /// Number: a block's sequence number.
  package static let sequence = EventKey(rawValue: 10)
  /// Text: what was heard or identified.
  package static let model = EventKey(rawValue: 11)
  /// Number: baud.
  package static let baud = EventKey(rawValue: 12)
  /// Text: the monitor that a region belongs to.
  package static let monitor = EventKey(rawValue: 13)
  /// Text: a region's identifier.
  package static let region = EventKey(rawValue: 14)
  /// Number: 1e-9 degrees, north positive.
  package static let latitude = EventKey(rawValue: 15)
  /// Number: 1e-9 degrees, east positive.
  package static let longitude = EventKey(rawValue: 16)
  /// Number: millimetres, 68 %, horizontal.
  package static let accuracy = EventKey(rawValue: 17)
  /// Number: counts the events of regions and visits, over restarts.
  package static let serviceSequence = EventKey(rawValue: 18)
  /// Text: what was done, such as `granted`.
  package static let action = EventKey(rawValue: 19)
  /// Text: who did it.
  package static let actor = EventKey(rawValue: 20)
  /// Number: millijoules that the receiver drew since the daemon knows it, by its profile.
  package static let energy = EventKey(rawValue: 21)
}

package enum EventValue: Equatable, Sendable {
  case number(Int64)
  case text(String)
}

/// Something that happened, with its particulars.
package struct LogEvent: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package var key: EventKey
    package var value: EventValue
    package init(_ key: EventKey, _ value: EventValue) { (self.key, self.value) = (key, value) }
  }

  package var kind: EventKind
  /// `nil` while no trusted clock is known.
  package var time: UTCTime?
  package var boottime: Monotonic
  package var fields: [Field]

  package init(
    _ kind: EventKind, time: UTCTime?, boottime: Monotonic, fields: [Field] = []
  ) {
    (self.kind, self.time, self.boottime, self.fields) = (kind, time, boottime, fields)
  }

  package subscript(key: EventKey) -> EventValue? { fields.first { $0.key == key }?.value }
}

/// How far a clock can be trusted.
package enum ClockSource: UInt8, Sendable {
  case none = 0
  case systemUnsynchronised = 1
  case network = 2
  case gnss = 3
  case pulse = 4
}

/// Ties the boot-time clock to UTC, so that records without a date can be dated later.
package struct ClockRecord: Equatable, Sendable {
  /// Tells one boot of the machine from another.
  package var bootTag: UInt64
  package var boottime: Monotonic
  package var time: UTCTime
  package var source: ClockSource
  /// Microseconds, 68 %.
  package var uncertaintyMicroseconds: Int64

  package init(
    bootTag: UInt64, boottime: Monotonic, time: UTCTime, source: ClockSource,
    uncertaintyMicroseconds: Int64
  ) {
    (self.bootTag, self.boottime, self.time) = (bootTag, boottime, time)
    (self.source, self.uncertaintyMicroseconds) = (source, uncertaintyMicroseconds)
  }
}

/// One record as a reader of the log sees it.
package struct LogRecord: Sendable {
  package enum Content: Sendable {
    /// Kept behind a reference: a fix takes some 600 bytes, and a record passes many hands.
    indirect case fix(Fix, StreamDescriptor)
    case event(LogEvent)
    case clock(ClockRecord)
  }

  package var content: Content
  /// When it happened; `nil` where that cannot be known.
  package var time: UTCTime?
  /// Whether `time` was computed from the boot-time clock and a trusted clock record of that boot.
  package var timeIsDerived = false
  package var boottime: Monotonic

  package init(content: Content, time: UTCTime?, boottime: Monotonic) {
    (self.content, self.time, self.boottime) = (content, time, boottime)
  }
}

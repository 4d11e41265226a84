import Bytes

/// What a serial port's driver counts since it was loaded; the counts wrap.
package struct LineErrors: Equatable, Sendable {
  /// Stop bits that were none.
  package var frame: UInt32
  /// Bytes lost in the UART or in the kernel.
  package var overrun: UInt32

  package init(frame: UInt32, overrun: UInt32) { (self.frame, self.overrun) = (frame, overrun) }

  /// How many came after `earlier`.
  package func since(_ earlier: LineErrors) -> LineErrors {
    LineErrors(frame: frame &- earlier.frame, overrun: overrun &- earlier.overrun)
  }
}

/// What one read of a serial line gave, for `BaudHunt`.
package struct LineActivity: Equatable, Sendable {
  package var byteCount: Int
  /// Changes of level within the bytes as they stood on the line: see `transitions(in:)`.
  package var transitionCount: Int
  /// Frames of any protocol whose checksum held.
  package var validFrameCount: Int
  /// Growth of the driver's frame-error counter; `nil` where it does not count.
  package var frameErrorCount: Int?

  package init(
    byteCount: Int, transitionCount: Int, validFrameCount: Int, frameErrorCount: Int?
  ) {
    (self.byteCount, self.transitionCount) = (byteCount, transitionCount)
    (self.validFrameCount, self.frameErrorCount) = (validFrameCount, frameErrorCount)
  }

  /// How often the line changed its level while the bytes were sent: start bit (low), eight bits
  /// from the least on, stop bit (high).
  ///
  /// A line that is sampled too fast seems to change seldom, whatever it carries.
  package static func transitions(in view: ByteView) -> Int {
    var count = 0
    for index in view.indices {
      let levels = UInt16(view[index]) << 1 | 0x200
      count += ((levels ^ levels >> 1) & 0x1ff).nonzeroBitCount
    }
    return count
  }

  /// Fewer bytes than this tell nothing of the speed.
  private static let clueByteCountMin = 16

  /// Whether, by the shape of the garbage, the sender is faster or slower than the line was set.
  ///
  /// The bounds lie between what sampling NMEA text and UBX frames at wrong speeds gives: 1.0
  /// changes a byte where the line is sampled 6 times too fast or more, 1.4 to 1.5 at 4 times, 1.6
  /// to 1.9 at 3 times, 2.1 to 2.7 at twice; 2.9 to 5.6 where it is too slow.
  /// - Returns: The sender's speed as a multiple of the line's, 1/12 standing for 1/6 and less (it
  ///   is 9600 at 115,200 baud); `.infinity` where it is faster; `nil` where it cannot be told.
  var senderSpeedRatio: Double? {
    guard byteCount >= Self.clueByteCountMin else { return nil }
    return switch Double(transitionCount) / Double(byteCount) {
    case ..<1.2: 1.0 / 12
    case ..<1.55: 1.0 / 4
    case ..<1.95: 1.0 / 3
    case ..<2.85: 1.0 / 2
    default: .infinity
    }
  }

  mutating func add(_ more: LineActivity) {
    byteCount += more.byteCount
    transitionCount += more.transitionCount
    validFrameCount += more.validFrameCount
    if let errors = more.frameErrorCount { frameErrorCount = (frameErrorCount ?? 0) + errors }
  }

  static let none = LineActivity(
    byteCount: 0, transitionCount: 0, validFrameCount: 0, frameErrorCount: nil)
}

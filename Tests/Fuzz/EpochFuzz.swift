import Bytes
import GNSS
import GPSDProtocol
import TrackExport

@testable import GNSSWire

/// A live stream with pauses: the input's first byte says how it is cut, and a byte 0x00 with its
/// successor is a pause.
enum EpochFuzz {
  private static let chunkByteCount = 16

  static func run(_ input: ByteView) {
    guard !input.isEmpty else { return }
    let bytes = Repaired.bytes(
      of: input.extracting(1..<input.count), protocols: Set(WireProtocol.allCases))
    var session = Session(hasFloor: input[0] & 1 != 0)
    bytes.withByteView { view in
      var start = 0
      for index in view.indices where index >= start {
        if view[index] == 0, index + 1 < view.count {
          session.feed(view.extracting(start..<index))
          session.wait(.milliseconds(Int64(view[index + 1]) * 5))
          start = index + 2
        } else if index - start == chunkByteCount {
          session.feed(view.extracting(start..<index))
          start = index
        }
      }
      if start < view.count { session.feed(view.extracting(start..<view.count)) }
    }
    session.finish()
  }

  private struct Session {
    var decoder: StreamDecoder
    var now = Monotonic(nanoseconds: 1_000_000_000)
    var output = OutputBuffer(capacity: 8192)
    var count: UInt64 = 0

    init(hasFloor: Bool) {
      let floor = hasFloor ? UTCTime(seconds: 1_780_000_000) : nil
      decoder = StreamDecoder(dates: DateSettings(buildDate: floor))
    }

    mutating func feed(_ bytes: ByteView) {
      now = now + .milliseconds(1)
      var decoder = decoder
      decoder.decode(bytes, at: now) { note($0) }
      self.decoder = decoder
    }

    mutating func wait(_ span: Duration) {
      let end = now + span
      var decoder = decoder
      while let deadline = decoder.deadline, deadline <= end {
        now = max(now, deadline)
        let before = count
        decoder.expire(at: now) { note($0) }
        precondition(count > before || decoder.deadline.map { $0 > now } ?? true, "no progress")
      }
      self.decoder = decoder
      now = max(now, end)
    }

    mutating func finish() {
      var decoder = decoder
      decoder.finish(at: now) { note($0) }
      precondition(decoder.counts.epochs == count)
    }

    /// Everything that the project writes of an epoch.
    private mutating func note(_ report: StreamReport) {
      guard case .epoch(let lent) = report else { return }
      let epoch = lent.pointee
      count += 1
      Sanity.check(epoch)
      precondition(epoch.firstByte <= epoch.lastByte && epoch.lastByte <= now)
      output.removeAll()
      FixJSON.append(epoch.fix, to: &output)
      FixJSON.append(epoch.satellites, to: &output)
      TPVReport.append(epoch.fix, device: "fuzz", to: &output)
      SKYReport.append(epoch, device: "fuzz", withSatellites: true, to: &output)
      output.appendSentences(SentenceSet(rawValue: 0xff), of: epoch)
    }
  }
}

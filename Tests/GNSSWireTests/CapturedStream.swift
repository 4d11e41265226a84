import Bytes
import GNSS

@testable import GNSSWire

/// A captured stream cut into the bursts of its epochs, as a decoder of recordings sees them.
struct CapturedStream {
  var bytes: [UInt8]
  /// The epochs of the recording.
  var epochs: [Epoch] = []
  /// Where each epoch's bytes lie; one range an epoch.
  var bursts: [Range<Int>] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var decoder = StreamDecoder(dates: DateSettings())
    decoder.closing = .recorded
    let frames = Self.frames(of: bytes)
    var burstStart = 0
    for frame in frames {
      var reported: [Epoch] = []
      bytes.withByteView { view in
        decoder.decode(view.extracting(frame), at: .zero) {
          if case .epoch(let epoch) = $0 { reported.append(epoch.pointee) }
        }
      }
      guard let epoch = reported.last else { continue }
      // The first message of the next epoch closes one; EOE closes its own.
      let isEOE = bytes[frame].starts(with: [0xb5, 0x62, 0x01, 0x61])
      let end = isEOE ? frame.upperBound : frame.lowerBound
      epochs.append(epoch)
      bursts.append(burstStart..<end)
      burstStart = end
    }
    decoder.finish(at: .zero) {
      if case .epoch(let epoch) = $0 {
        epochs.append(epoch.pointee)
        bursts.append(burstStart..<bytes.count)
      }
    }
  }

  /// Every whole frame with the noise before it, up to the end.
  private static func frames(of bytes: [UInt8]) -> [Range<Int>] {
    bytes.withByteView { view in
      var frames: [Range<Int>] = []
      var (start, offset) = (0, 0)
      scan: while true {
        switch FrameScanner.next(in: view, at: offset) {
        case .frame(_, let end):
          if start < offset { frames.append(start..<offset) }
          frames.append(offset..<end)
          (start, offset) = (end, end)
        case .rejected(_, _, let resume): offset = resume
        case .noise(let end): offset = end
        case .incomplete: offset += 1
        case .end: break scan
        }
      }
      if start < view.count { frames.append(start..<view.count) }
      return frames
    }
  }

  /// Plays the bursts to a live decoder: each in reads of up to `chunk` bytes at `baud`, then
  /// nothing until the next.
  func playLive(chunk: Int, baud: Int) -> (epochs: [Epoch], latencies: [Duration]) {
    var decoder = StreamDecoder(dates: DateSettings())
    decoder.closing = .live
    var heard: [Epoch] = []
    var latencies: [Duration] = []
    var now = Monotonic(nanoseconds: 1_000_000_000)
    func keep(_ report: StreamReport) {
      if case .epoch(let epoch) = report {
        heard.append(epoch.pointee)
        latencies.append(now - epoch.pointee.lastByte)
      }
    }
    func wait(until later: Monotonic) {
      while let deadline = decoder.deadline, deadline <= later {
        now = max(now, deadline)
        decoder.expire(at: now, report: keep)
      }
      now = max(now, later)
    }
    bytes.withByteView { view in
      for (index, burst) in bursts.enumerated() {
        let start = now
        var offset = burst.lowerBound
        while offset < burst.upperBound {
          let end = min(offset + chunk, burst.upperBound)
          wait(until: now + .nanoseconds(Int64(end - offset) * 10_000_000_000 / Int64(baud)))
          decoder.decode(view.extracting(offset..<end), at: now, report: keep)
          offset = end
        }
        wait(until: max(now, start + interval(after: index)))
      }
    }
    decoder.finish(at: now, report: keep)
    return (heard, latencies)
  }

  /// How long after one epoch the next comes.
  private func interval(after index: Int) -> Duration {
    guard index + 1 < epochs.count, let one = epochs[index].fix.timeOfDay,
      let next = epochs[index + 1].fix.timeOfDay
    else { return .seconds(1) }
    let span = Duration.microseconds(next.microseconds - one.microseconds)
    return span > .zero && span < .seconds(10) ? span : .seconds(1)
  }
}

extension Fix {
  /// Whether the values that a log keeps are equal.
  func isLike(_ other: Fix) -> Bool {
    (time, timeOfDay, mode, position) == (other.time, other.timeOfDay, other.mode, other.position)
      && (altitudeMSL, altitudeEllipsoid, speed, course)
        == (other.altitudeMSL, other.altitudeEllipsoid, other.speed, other.course)
  }
}

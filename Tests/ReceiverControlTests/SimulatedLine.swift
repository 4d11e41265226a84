import Bytes
import GNSS

/// A serial line as voltages over time, with a sender at one speed and a UART that samples it at
/// another: an independent source of what a wrong speed looks like.
struct SimulatedLine {
  /// The sender's speed in baud.
  var senderSpeed: Double
  /// What is sent in each second, from `phase` on.
  let epoch: [UInt8]
  /// Seconds between the start and the first epoch.
  let phase: Double
  let period: Double
  private let levels: [Bool]

  init(senderSpeed: Int, epoch: [UInt8], phase: Double, period: Double = 1) {
    (self.senderSpeed, self.epoch) = (Double(senderSpeed), epoch)
    (self.phase, self.period) = (phase, period)
    levels = epoch.flatMap { byte in
      [false] + (0..<8).map { byte >> UInt8($0) & 1 == 1 } + [true]
    }
  }

  /// The line's level, high while nothing is sent.
  func level(at time: Double) -> Bool {
    guard time >= phase else { return true }
    let bit = ((time - phase).truncatingRemainder(dividingBy: period) * senderSpeed)
    return bit < Double(levels.count) ? levels[Int(bit)] : true
  }

  /// Where the line next changes or may change its level after `time`.
  private func nextBoundary(after time: Double) -> Double {
    guard time >= phase else { return phase }
    let sinceEpoch = (time - phase).truncatingRemainder(dividingBy: period)
    let bit = (sinceEpoch * senderSpeed).rounded(.down) + 1
    let start = time - sinceEpoch
    return bit <= Double(levels.count) ? start + bit / senderSpeed : start + period
  }

  /// The UART: finds a falling edge, samples in the middle of each bit, and after a bad stop bit
  /// takes the low line for the next start bit, or waits for the end of a break.
  struct Receiver {
    var time = 0.0

    /// Runs to `end`, and returns the bytes and how many of them had a bad stop bit.
    mutating func run(_ line: SimulatedLine, speed: Double, until end: Double) -> (
      bytes: [UInt8], frameErrorCount: Int
    ) {
      var bytes: [UInt8] = []
      var frameErrorCount = 0
      let bit = 1 / speed
      while time < end {
        guard !line.level(at: time), !line.level(at: time + bit / 2) else {
          time = min(line.nextBoundary(after: time) + 1e-9, end)
          continue
        }
        var byte: UInt8 = 0
        for index in 0..<8 where line.level(at: time + bit * (1.5 + Double(index))) {
          byte |= 1 << UInt8(index)
        }
        bytes.append(byte)
        time += bit * 9.5
        if !line.level(at: time) {
          frameErrorCount += 1
          while byte == 0, time < end, !line.level(at: time) {
            time = line.nextBoundary(after: time) + 1e-9
          }
        }
      }
      return (bytes, frameErrorCount)
    }
  }

  /// Finds the frames of the epoch in what the UART made of them.
  struct FrameCounter {
    let frames: [[UInt8]]
    private var stream: [UInt8] = []

    init(_ frames: [[UInt8]]) { self.frames = frames }

    mutating func count(_ bytes: [UInt8]) -> Int {
      var good = 0
      for byte in bytes {
        stream.append(byte)
        if frames.contains(where: { stream.suffix($0.count).elementsEqual($0) }) {
          good += 1
          stream.removeAll()
        }
      }
      return good
    }
  }
}

import Bytes
import GNSS

@testable import GNSSWire

/// Every search ends, moves on, and finds the same frame whatever follows it.
enum FramerFuzz {
  static func run(_ input: ByteView) {
    var offset = 0
    while true {
      let finding = FrameScanner.next(in: input, at: offset)
      switch finding {
      case .frame(_, let end):
        precondition(end > offset && end <= input.count)
        let cut = FrameScanner.next(in: input.extracting(0..<end), at: offset)
        precondition(cut == finding, "a frame depends on what follows it")
        offset = end
      case .rejected(_, _, let next), .noise(let next):
        precondition(next > offset && next <= input.count)
        offset = next
      case .incomplete(_, let wanted):
        precondition(wanted > 0 && wanted <= FrameScanner.frameByteCountMax)
        offset += 1
      case .end:
        precondition(offset == input.count)
        return
      }
    }
  }
}

/// A recorded stream comes to the same, however it is cut, and to values that can be.
enum StreamFuzz {
  static func run(_ bytes: [UInt8]) {
    let whole = decoded(bytes, chunk: bytes.count)
    let cut = decoded(bytes, chunk: bytes.count % 7 + 1)
    precondition(whole.epochs == cut.epochs, "the cut changed an epoch")
    precondition(whole.counts == cut.counts, "the cut changed a count")
    precondition(whole.counts.byteCount == UInt64(bytes.count))
    precondition(whole.counts.epochs == UInt64(whole.epochs.count))
    for epoch in whole.epochs { Sanity.check(epoch) }
  }

  private static func decoded(
    _ bytes: [UInt8], chunk: Int
  ) -> (epochs: [Epoch], counts: StreamCounts) {
    var decoder = StreamDecoder(dates: DateSettings())
    decoder.closing = .recorded
    var epochs: [Epoch] = []
    func keep(_ report: StreamReport) {
      if case .epoch(let epoch) = report { epochs.append(epoch.pointee) }
    }
    bytes.withByteView { view in
      var start = 0
      while start < view.count {
        let end = min(start + chunk, view.count)
        decoder.decode(view.extracting(start..<end), at: .zero, report: keep)
        start = end
      }
    }
    decoder.finish(at: .zero, report: keep)
    return (epochs, decoder.counts)
  }
}

/// What must hold of every epoch, whoever sent it.
enum Sanity {
  static func check(_ epoch: Epoch) {
    let fix = epoch.fix
    precondition(fix.position?.isValid ?? true, "a position off the globe")
    precondition((fix.mode.rawValue >= 2) == (fix.position != nil), "a mode without its position")
    let lengths = [
      fix.speed, fix.horizontalAccuracy, fix.verticalAccuracy, fix.speedAccuracy,
      fix.courseAccuracy, fix.dop.horizontal, fix.dop.vertical, fix.dop.position,
    ]
    for length in lengths {
      precondition(length.map { $0.isFinite && $0 >= 0 } ?? true, "no length")
    }
    for course in [fix.course, fix.heading] {
      precondition(course.map { $0 >= 0 && $0 < 360 } ?? true, "no direction")
    }
    for value in [fix.altitudeMSL, fix.altitudeEllipsoid, fix.geoidSeparation, fix.climb] {
      precondition(value?.isFinite ?? true, "no number")
    }
    precondition((fix.time == nil) == (fix.dateSource == .none), "a date from nowhere")
    if let time = fix.timeOfDay {
      precondition((0..<86_401_000_000).contains(time.microseconds), "no time of day")
    }
    precondition(epoch.satellites.count <= Epoch.satelliteCountMax)
    for satellite in epoch.satellites {
      precondition(satellite.elevation.map { (-90...90).contains($0) } ?? true)
      precondition(satellite.azimuth.map { (0..<360).contains($0) } ?? true)
    }
  }
}

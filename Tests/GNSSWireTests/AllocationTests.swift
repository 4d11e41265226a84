import AllocationCounter
import Bytes
import GNSS
import Testing

@testable import GNSSWire

@Suite("Allocations") struct AllocationTests {
  private static let isOptimized = !_isDebugAssertConfiguration()
  private static let epochCount = 100_000

  @Test("the counter counts")
  func counter() {
    let before = allocation_count()
    let array = [UInt8](repeating: 1, count: 1000)
    #expect(allocation_count() > before)
    #expect(array.count == 1000)
  }

  /// Sentences and UBX messages in turn, live, so that closing early is learned too.
  @Test(
    "after the first epochs, decoding asks for no memory",
    .enabled(
      if: isOptimized, "a debug build's standard library allocates; build with -c release"),
    arguments: [17, 1024])
  func none(chunk: Int) {
    let streams = [TestFiles.capture("new-year.nmea"), TestFiles.capture("week-end.ubx")]
    var decoder = StreamDecoder(dates: DateSettings())
    var now = Monotonic.zero
    var epochCount = 0
    var satelliteCount = 0
    func play(epochs: Int) {
      let end = epochCount + epochs
      while epochCount < end {
        for stream in streams {
          stream.withByteView { view in
            var offset = 0
            while offset < view.count {
              let next = min(offset + chunk, view.count)
              now = now + .milliseconds(10)
              decoder.decode(view.extracting(offset..<next), at: now) { report in
                guard case .epoch(let epoch) = report else { return }
                epochCount += 1
                satelliteCount += epoch.pointee.satellites.count
              }
              offset = next
            }
          }
        }
      }
    }
    play(epochs: 200)
    let before = allocation_count()
    play(epochs: Self.epochCount)
    #expect(allocation_count() - before == 0)
    #expect(satelliteCount > 0)
  }
}

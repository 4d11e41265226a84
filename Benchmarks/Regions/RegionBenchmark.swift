import GNSS
import LinuxIO
import LocationServices

/// What a fix costs with few regions and with many, and what these take in memory:
///
///     BINNACLE_BENCHMARKS=1 swift run -c release RegionBenchmark
@main enum RegionBenchmark {
  /// The regions lie within so many metres of the middle, each way: over a country.
  static let halfWidth = 300_000.0
  static let fixCount = 20_000
  static let roundCount = 7

  static func main() {
    Memory.giveLargeBlocksBack()
    var costs: [Int: [Double]] = [:]
    for _ in 0..<roundCount {
      for count in [20, 100_000] {
        let before = residentByteCount
        var service = loaded(count)
        let grown = Double(residentByteCount - before) / 1e6
        costs[count, default: []].append(cost(&service))
        if costs[count]?.count == 1 { StandardError.line("\(count) regions: \(grown) MB") }
      }
    }
    let (few, many) = (median(costs[20] ?? []), median(costs[100_000] ?? []))
    StandardError.line("20 regions: \(few) us a fix; 100000: \(many) us; ratio \(many / few)")
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
  }

  private static func loaded(_ count: Int) -> LocationService {
    var random = SystemRandomNumberGenerator()
    var service = LocationService()
    let start = Now(boottime: .zero)
    _ = service.start(at: start)
    _ = service.handle(.connected(1, .system), at: start)
    var options = SessionOptions()
    options.tier = .bestForNavigation
    _ = service.handle(.asked(.openSession(options), 1, 1), at: start)
    _ = service.handle(.asked(.openMonitor("m"), 2, 1), at: start)
    for index in 0..<count {
      let middle =
        origin
        .destination(
          bearing: 0, distance: .random(in: -halfWidth...halfWidth, using: &random)
        )
        .destination(bearing: 90, distance: .random(in: -halfWidth...halfWidth, using: &random))
      let shape = RegionShape.circle(
        centre: middle, radius: .random(in: 100...1000, using: &random))
      let request = Request.addRegion(
        monitor: "m", identifier: "region \(index)", shape, RegionOptions())
      finish(service.handle(.asked(request, 3, 1), at: start), &service, start)
    }
    return service
  }

  private static let origin = Coordinate(latitude: 48, longitude: 11)

  /// Says that what is to be on disk is there.
  private static func finish(
    _ commands: [LocationService.Command], _ service: inout LocationService, _ now: Now
  ) {
    for command in commands {
      switch command {
      case .persist(_, let ticket):
        finish(service.handle(.persisted(through: ticket), at: now), &service, now)
      case .log(let event):
        finish(service.handle(.logged(through: event.sequence), at: now), &service, now)
      default: break
      }
    }
  }

  /// Microseconds a fix, of a ride at 10 m/s in large circles.
  private static func cost(_ service: inout LocationService) -> Double {
    var (fixes, place) = ([Fix](), origin)
    for second in 0..<fixCount {
      place = place.destination(bearing: Double(second) / 10, distance: 10)
      var fix = Fix()
      (fix.mode, fix.position, fix.horizontalAccuracy, fix.speed) = (.threeD, place, 3, 10)
      fix.time = UTCTime(seconds: 1_791_954_000 + Int64(second))
      fixes.append(fix)
    }
    var start = Monotonic.zero
    for (second, fix) in fixes.enumerated() {
      // The first one looks at all of them.
      if second == 1 { start = Clocks.monotonic() }
      let now = Now(
        boottime: Monotonic(nanoseconds: Int64(second) * 1_000_000_000), time: fix.time)
      finish(service.handle(.fix(fix), at: now), &service, now)
    }
    return (Clocks.monotonic() - start).inSeconds * 1e6 / Double(fixCount - 1)
  }

  private static var residentByteCount: Int {
    let pages = smallFile("/proc/self/statm")?.split(separator: " ").dropFirst().first
    return (pages.flatMap { Int($0) } ?? 0) * 4096
  }
}

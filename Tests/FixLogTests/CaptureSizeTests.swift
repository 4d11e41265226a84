import Bytes
import GNSS
import GNSSWire
import LinuxIO
import Testing

@testable import FixLog

/// How large the log of real receivers gets. Skips what needs the public corpus where it is not
/// there.
@Suite("Sizes of real captures") struct CaptureSizeTests {
  private static let root: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
  }()
  private static let corpus = root + "/../shared/corpus/gpsd"

  /// What one capture comes to in a log of many hours.
  private struct Size {
    let name: String
    let fixCount: Int
    let bytesPerFix: Double
    /// Whether most of its fixes are faster than a pedestrian's noise. 0.5 m/s.
    let isMoving: Bool
    /// Whether all that a receiver can say of a fix was said, as UBX does.
    let isFull: Bool
  }

  /// The fixes with a position and a time that a capture holds.
  private static func fixes(_ path: String) -> [Fix] {
    guard let text = try? InputFile(path: path) else { return [] }
    var decoder = StreamDecoder(dates: DateSettings())
    decoder.closing = .recorded
    var fixes: [Fix] = []
    func keep(_ report: StreamReport) {
      guard case .epoch(let epoch) = report else { return }
      let fix = epoch.pointee.fix
      if fix.hasPosition, fix.time != nil { fixes.append(fix) }
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while let count = try? text.read(into: &buffer), count > 0 {
      buffer.withByteView { decoder.decode($0.extracting(0..<count), at: .zero, report: keep) }
    }
    decoder.finish(at: .zero, report: keep)
    return fixes
  }

  /// A block's beginning, with the first fix and the receiver's name, is shared by as many fixes as
  /// a block then has.
  private static func size(_ name: String, _ fixes: [Fix]) -> Size? {
    var random = SeededRandom(seed: 5)
    var block = OpenBlock(BlockHeader(), blockSize: 65_536, eraTimeMax: .min)
    var (beginning, count) = (0, 0)
    for fix in fixes {
      guard let time = fix.time else { continue }
      // Some 80 ms after its instant, as a receiver at 9600 baud and more.
      let lag = 80_000 + Int64.random(in: -2000...2000, using: &random)
      let boottime = Monotonic(nanoseconds: time.microseconds % 100_000_000_000_000 * 1000)
      guard block.append(fix, of: LogFixtures.receiver, boottime: boottime + .microseconds(lag))
      else { break }
      if count == 0 { beginning = BlockHeader.byteCount + Int(block.header.payloadByteCount) }
      count += 1
    }
    guard count >= 30 else { return nil }
    let all = BlockHeader.byteCount + Int(block.header.payloadByteCount)
    let each = Double(all - beginning) / Double(count - 1)
    let perBlock = 1 + (4096 - Double(beginning)) / each
    let fast = fixes.filter { ($0.speed ?? 0) > 0.5 }.count
    return Size(
      name: name, fixCount: count, bytesPerFix: 4096 / perBlock, isMoving: 2 * fast > fixes.count,
      isFull: fixes.contains { $0.speedAccuracy != nil && $0.altitudeEllipsoid != nil })
  }

  /// Few of the captures were taken on the way, and some receivers say much more of a fix than
  /// others; so the bound of motion is held by all of them together.
  @Test("at most 18 bytes a fix over all captures, and 14 in the middle of those at rest")
  func corpus() throws {
    let names = directoryEntries(Self.corpus).filter { $0.hasSuffix(".log") }
    guard !names.isEmpty else {
      print("skipped: \(Self.corpus) is not there")
      return
    }
    let sizes = names.compactMap { Self.size($0, Self.fixes("\(Self.corpus)/\($0)")) }
    for size in sizes {
      print(
        "capture \(size.name): \(size.fixCount) fixes, \(size.bytesPerFix) bytes each",
        size.isMoving ? "moving" : "at rest", size.isFull ? "full" : "")
    }
    let count = sizes.reduce(0) { $0 + $1.fixCount }
    let all = sizes.reduce(0) { $0 + $1.bytesPerFix * Double($1.fixCount) } / Double(max(count, 1))
    let resting = sizes.filter { !$0.isMoving }.map(\.bytesPerFix).sorted()
    let middle = try #require(resting.isEmpty ? nil : resting[resting.count / 2])
    print("captures: \(all) bytes a fix over \(count) fixes; median at rest \(middle)")
    #expect(all <= 18 && middle <= 14)
  }
}

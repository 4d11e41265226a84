import BinnacleDaemon
import Bytes
import FixLog
import Glibc
import LinuxIO
import Testing

@testable import BinnacleCommand

@Suite("Log check") struct LogCheckCommandTests {
  private func report(_ ring: TemporaryRing, _ format: LogCheckFormat) throws -> String {
    var output = OutputBuffer()
    let file = try RingFile(opening: ring.path, for: .reading)
    format.write(try LogCheck(file), of: ring.path, to: &output)
    return output.text
  }

  @Test("tells what the log holds")
  func whole() throws {
    let ring = try TemporaryRing()
    ring.append(900, from: "2026-10-14T05:00:00Z")
    ring.append(.attach, at: "2026-10-14T05:20:00Z", [])
    let text = try report(ring, .text)
    #expect(text.hasPrefix("\(ring.path): whole\n"))
    #expect(text.contains("900 fixes, 1 events, 0 clock records"))
    #expect(text.contains("2026-10-14T05:00:00.000Z to 2026-10-14T05:20:00.000Z"))
    #expect(text.contains("u-blox boat: 900 fixes"))
    #expect(!text.contains("damage"))
    let json = try report(ring, .json)
    #expect(json.hasPrefix(#"{"log":""#) && json.hasSuffix("}\n"))
    #expect(json.contains(#""damaged":false"#) && json.contains(#""fixes":900"#))
    #expect(json.contains(#""receivers":[{"name":"u-blox boat","fixes":900}],"gaps":[]"#))
  }

  @Test("names damage, and its exit code is 1")
  func damaged() throws {
    let ring = try TemporaryRing()
    ring.append(2000, from: "2026-10-14T05:00:00Z")
    let file = open(ring.path, O_WRONLY)
    pwrite(file, "broken", 6, 262_144 + 4096 + 500)
    close(file)
    #expect(try report(ring, .text).contains("damage     block 1: fails its check"))
    #expect(
      try report(ring, .json).contains(
        #""gaps":[{"cause":"damaged","first_block":1,"blocks":1}]"#))
    let program = try #require(ChildProgram(binnacle: ["log-check", "--log", ring.path]))
    #expect(program.nextLine() == "\(ring.path): DAMAGED")
    #expect(program.wait() == 1)
  }

  @Test("--repair and --resize want the daemon stopped", arguments: ["repair", "resize"])
  func inUse(option: String) throws {
    let ring = try TemporaryRing()
    let value = option == "resize" ? ["1 MiB"] : []
    let program = try #require(
      ChildProgram(binnacle: ["log-check", "--log", ring.path, "--\(option)"] + value))
    #expect(program.nextLine()?.contains("another process writes to it") == true)
    #expect(program.wait() == 1)
  }

  /// A copy of the ring's file that nobody holds, in the same folder.
  private func copy(of ring: TemporaryRing) throws -> (path: String, bytes: [UInt8]) {
    let path = ring.folder + "/out"
    let source = try RingFile(opening: ring.path, for: .reading)
    var bytes = [UInt8](repeating: 0, count: source.byteCount)
    _ = try bytes.withUnsafeMutableBytes { try source.readBytes(at: 0, into: $0) }
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    #expect(write(file, bytes, bytes.count) == bytes.count)
    close(file)
    return (path, bytes)
  }

  @Test("--repair restores superblocks and the length of a cut file")
  func repair() throws {
    let ring = try TemporaryRing()
    ring.append(1000, from: "2026-10-14T05:00:00Z")
    let (path, bytes) = try copy(of: ring)
    let file = open(path, O_WRONLY)
    pwrite(file, "broken", 6, 20)
    ftruncate(file, off_t(bytes.count - 5000))
    close(file)
    try LogRepair.repair(path)
    let mended = try LogCheck(RingFile(opening: path, for: .reading))
    #expect(!mended.isDamaged && mended.fixCount == 1000)
    #expect(mended.byteCount == bytes.count)
  }

  @Test("--resize keeps what fits")
  func resize() throws {
    let ring = try TemporaryRing()
    ring.append(3000, from: "2026-10-14T05:00:00Z")
    let path = try copy(of: ring).path
    try LogRepair.resize(path, to: "2 MiB")
    let larger = try LogCheck(RingFile(opening: path, for: .reading))
    #expect(!larger.isDamaged && larger.fixCount == 3000)
    #expect(larger.byteCount == 2 << 20)
    try LogRepair.resize(path, to: "280 KiB")
    let smaller = try LogCheck(RingFile(opening: path, for: .reading))
    #expect(!smaller.isDamaged && smaller.blockCount <= 6 && smaller.latest == larger.latest)
    #expect(throws: CommandError.self) { try LogRepair.resize(path, to: "1 KiB") }
  }
}

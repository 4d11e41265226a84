import Glibc
import LinuxIO
import Testing

/// `decode` of what gzip packed.
@Suite("Decode, packed") struct DecodePackedTests {
  private func output(_ arguments: [String]) throws -> (lines: [String], status: CInt) {
    let program = try #require(ChildProgram(arguments))
    return (program.allLines(), program.wait())
  }

  /// Fixes without their last column, which is the file's name, and complaints.
  private func decoded(_ path: String) throws -> (lines: [String], status: CInt) {
    let program = try #require(ChildProgram(binnacle: ["decode", "--format", "csv", path]))
    let lines = program.allLines().map { line in
      String(line[..<(line.lastIndex(of: ",") ?? line.endIndex)])
    }
    return (lines, program.wait())
  }

  @Test(
    "a packed log is decoded as the log itself, and a cut one as far as it goes",
    arguments: ["new-year.nmea", "week-end.ubx"])
  func packed(name: String) throws {
    let folder = try RunCommandTests.Folder()
    let (plain, packed) = (folder.path + "/log", folder.path + "/log.gz")
    let capture = SimulateCommandTests.captures + "/" + name
    #expect(try output(["cp", capture, plain]).status == 0)
    #expect(try output(["gzip", "-k", plain]).status == 0)
    let right = try decoded(plain)
    #expect(right.status == 0 && right.lines.count > 20)
    let unpacked = try decoded(packed)
    #expect(unpacked.lines == right.lines, "\(unpacked.lines.count) of \(right.lines.count)")
    #expect(unpacked.status == 0)

    // The checksum at its end is missing then.
    #expect(try output(["truncate", "-s", "-8", packed]).status == 0)
    let cut = try decoded(packed)
    #expect(cut.status == 1)
    #expect(cut.lines.filter { !$0.hasPrefix("binnacle: ") } == right.lines)
    #expect(cut.lines.contains { $0.hasPrefix("binnacle: \(packed): the packed file is damaged") })
  }
}

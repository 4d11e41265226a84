import Bytes
import Glibc
import Testing

@testable import LinuxIO

/// gpsd's own feeder of recorded logs drives the daemon in gpsd's place.
@Suite("gpsfake") struct GPSFakeTests {
  /// Logs of the public corpus: NMEA, UBX, and both mixed, old receivers and new ones.
  static let logs = [
    "beidou-bd", "beidou-gb", "blumax-gps009", "bn-9015", "bt451", "bu353-glonass", "bu353s4",
    "gr601-w", "garmin17n", "gp-320fw-2019-03-28", "haicom-305N", "mt3339", "mtk-3329",
    "navisys-gr8013", "nmea-rtk", "quectel-l76k-nmea", "sirfstarv-nmea", "ublox-8", "ublox-glo",
    "ublox-neo-m8p",
  ]
  /// Instances of gpsfake at a time; each mostly waits.
  static let batchCount = 5

  /// The program that gpsfake takes for gpsd.
  private static let standIn: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast().joined(separator: "/") + "/Fixtures/gpsd-for-gpsfake"
  }()

  /// A position, as text, so that it is equal to the last digit or not.
  struct Position: Hashable {
    let latitude: String
    let longitude: String
  }

  /// The position of a TPV object.
  private func position(_ line: String) -> Position? {
    guard line.hasPrefix(#"{"class":"TPV""#), let latitude = value("lat", of: line),
      let longitude = value("lon", of: line)
    else { return nil }
    return Position(latitude: latitude, longitude: longitude)
  }

  /// The positions that a program tells until its end, without those that repeat the last one.
  /// - Parameter count: After so many, and a moment for what should not come, it is ended with all
  ///   that it started: gpsfake itself would go on until its patience ends.
  private func positions(of program: ChildProgram, count: Int? = nil) -> [Position] {
    var positions: [Position] = []
    while let line = program.nextLine() {
      guard let position = position(line), position != positions.last else { continue }
      positions.append(position)
      if positions.count == count {
        usleep(300_000)
        kill(-program.processID, SIGKILL)
      }
    }
    if count != nil { kill(-program.processID, SIGKILL) }
    _ = program.wait()
    return positions
  }

  private func value(_ key: String, of line: String) -> String? {
    line.split(separator: ",").first { $0.hasPrefix("\"\(key)\":") }.map {
      String($0.drop { $0 != ":" }.dropFirst().prefix { $0 != "}" })
    }
  }

  @Test("twenty logs through gpsfake are what decode makes of them")
  func logs() throws {
    let corpus = RunCommandTests.corpus
    guard fileExists(corpus), fileExists("/usr/bin/gpsfake"), let folder = ChildProgram.folder
    else {
      print("skipped: needs gpsfake and the corpus of gpsd's logs")
      return
    }
    let home = try RunCommandTests.Folder()
    symlink(Self.standIn, home.path + "/gpsd")
    var left = Self.logs[...]
    while !left.isEmpty {
      let batch = left.prefix(Self.batchCount)
      left = left.dropFirst(Self.batchCount)
      let players = batch.map { log in
        ChildProgram(
          [
            // It leads a group of processes.
            "timeout", "200", "/usr/bin/gpsfake", "-1", "-q", "-p", "-W", "60",
            "\(corpus)/\(log).log",
          ],
          variables: [
            "BINNACLE=\(folder)/binnacle", "GPSD_HOME=\(home.path)", "TMPDIR=\(home.path)",
          ])
      }
      for (log, player) in zip(batch, players) {
        let decoder = ChildProgram(binnacle: ["decode", "--format", "gpsd", "\(corpus)/\(log).log"])
        let decoded = positions(of: try #require(decoder))
        let played = positions(of: try #require(player), count: decoded.count)
        #expect(!decoded.isEmpty, "\(log)")
        #expect(played == decoded, "\(log)")
      }
    }
  }
}

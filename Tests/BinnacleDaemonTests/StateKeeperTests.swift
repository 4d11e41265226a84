import GNSS
import Glibc
import LinuxIO
import LocationServices
import Testing

@testable import BinnacleDaemon

@Suite("State file") struct StateKeeperTests {
  /// A folder of its own, gone with it.
  private final class Folder {
    let path: String
    init() throws {
      var template = Array("/tmp/binnacle-state-XXXXXX".utf8CString)
      path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }
    deinit {
      for name in ["state", "state.new", "state.unreadable"] { unlink("\(path)/\(name)") }
      rmdir(path)
    }
    var file: String { path + "/state" }
  }

  private func keeper(_ path: String) throws -> StateKeeper {
    try StateKeeper(path: path, notify: {})
  }

  /// What a write of these entries is.
  private func frame(_ entries: [StateEntry]) -> [UInt8] { StateJournal.frame(entries) }

  private func isWritten(_ event: LocationService.Event, _ ticket: UInt64) -> Bool {
    if case .persisted(ticket) = event { true } else { false }
  }

  private func hasFailed(_ event: LocationService.Event) -> Bool {
    if case .persistFailed = event { true } else { false }
  }

  static let entries: [StateEntry] = [
    .grant(.user("pi"), Verdict(.always)), .enabled(false), .logged(through: 7),
  ]

  @Test("what was written is there after a restart, in its order")
  func roundTrip() throws {
    let folder = try Folder()
    let keeper = try keeper(folder.file)
    #expect(keeper.read().entries.isEmpty && keeper.read().problem == nil)
    keeper.write(.replace(StateJournal.header() + frame([Self.entries[0]])), ticket: 1)
    keeper.write(.append(frame([Self.entries[1]])), ticket: 2)
    keeper.write(.append(frame([Self.entries[2]])), ticket: 3)
    // What came while the medium was busy was written together.
    #expect(isWritten(try #require(keeper.finish().last), 3))
    let read = try self.keeper(folder.file).read()
    #expect(read.entries == Self.entries && read.problem == nil)
    var status = stat()
    #expect(stat(folder.file, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("a write that was cut short is dropped, and said")
  func cut() throws {
    let folder = try Folder()
    let keeper = try keeper(folder.file)
    keeper.write(.replace(StateJournal.header() + frame([Self.entries[0]])), ticket: 1)
    keeper.write(.append(Array(frame([Self.entries[1]]).dropLast(2))), ticket: 2)
    _ = keeper.finish()
    let read = try self.keeper(folder.file).read()
    #expect(read.entries == [Self.entries[0]])
    #expect(read.problem?.contains("cut short") == true)
  }

  @Test("a file of something else is set aside, and all begins anew")
  func foreign() throws {
    let folder = try Folder()
    try StateFile(path: folder.file).replace(Array("a letter to somebody".utf8))
    let read = try keeper(folder.file).read()
    #expect(read.entries.isEmpty)
    #expect(read.problem?.contains("\(folder.file).unreadable") == true)
    #expect(fileExists(folder.file + ".unreadable") && !fileExists(folder.file))
  }

  @Test("behind a failed write nothing is appended; the next whole file is taken")
  func failures() throws {
    let folder = try Folder()
    let keeper = try keeper(folder.path + "/missing/state")
    keeper.write(.replace(StateJournal.header()), ticket: 1)
    keeper.write(.append(frame([Self.entries[1]])), ticket: 2)
    let events = keeper.finish()
    #expect(!events.isEmpty && events.allSatisfy(hasFailed))
    let other = try self.keeper(folder.file)
    other.write(.replace(StateJournal.header()), ticket: 1)
    _ = other.finish()
    // Somebody cut the file.
    #expect(truncate(folder.file, 3) == 0)
    other.write(.append(frame([Self.entries[1]])), ticket: 2)
    #expect(hasFailed(try #require(other.finish().first)))
    other.write(.replace(StateJournal.header() + frame([Self.entries[2]])), ticket: 3)
    #expect(isWritten(try #require(other.finish().first), 3))
    #expect(try self.keeper(folder.file).read().entries == [Self.entries[2]])
  }
}

@Suite("Receiver choice") struct ReceiverChoiceTests {
  @Test("stays with one receiver until that is silent or without position for a while")
  func choice() {
    var choice = ReceiverChoice()
    let epochs: [(slot: Int, hasPosition: Bool, second: Int64)] = [
      (1, false, 0), (1, true, 1), (0, true, 2), (1, false, 5), (0, true, 11), (0, true, 12),
      (1, true, 13),
    ]
    let taken = epochs.map {
      choice.takes(
        $0.slot, hasPosition: $0.hasPosition, at: Monotonic(nanoseconds: $0.second * 1_000_000_000))
    }
    #expect(taken == [true, true, false, true, false, true, false])
    choice.lost(0)
    let isTaken = choice.takes(1, hasPosition: true, at: Monotonic(nanoseconds: 14_000_000_000))
    #expect(isTaken)
  }
}

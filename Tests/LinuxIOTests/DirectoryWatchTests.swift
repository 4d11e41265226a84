import Glibc
import Testing

@testable import LinuxIO

@Suite("Directory watch") struct DirectoryWatchTests {
  @Test("tells of its own name alone")
  func appears() throws {
    var template = Array("/tmp/binnacle-watch-XXXXXX".utf8CString)
    let directory = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { rmdir(directory) }
    let watch = try DirectoryWatch(for: directory + "/port")
    #expect(!watch.appeared())
    close(creat(directory + "/other", 0o600))
    defer { unlink(directory + "/other") }
    #expect(!watch.appeared())
    #expect(symlink("/nowhere", directory + "/port") == 0)
    defer { unlink(directory + "/port") }
    #expect(watch.appeared())
    #expect(!watch.appeared())
  }

  @Test("a directory that is not there is an error")
  func missing() {
    #expect(throws: Errno.noSuchFile) { try DirectoryWatch(for: "/nonexistent/port") }
  }
}

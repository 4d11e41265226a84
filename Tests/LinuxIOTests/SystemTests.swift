import GNSS
import Glibc
import Testing

@testable import LinuxIO

@Suite("Clocks and files") struct SystemTests {
  @Test("the clocks run, and agree with /proc")
  func clocks() {
    let uptime = smallFile("/proc/uptime")?.split(separator: " ").first.flatMap { Double($0) } ?? 0
    let now = Clocks.monotonic()
    #expect(abs(Double(now.nanoseconds) / 1e9 - uptime) < 5)
    #expect(Clocks.monotonic() >= now)
    #expect(abs(Clocks.utc().microseconds / 1_000_000 - Int64(time(nil))) <= 1)
  }

  @Test("the boot id is a UUID")
  func bootID() {
    #expect(BootID.current.text.utf8.count == 36)
    #expect(BootID.current.tag != 0)
    #expect(BootID(text: "01234567-89ab-cdef-0123-456789abcdef").tag == 0x0123_4567_89ab_cdef)
    #expect(BootID(text: "").tag == 0)
  }

  @Test("links are followed")
  func links() {
    let link = "/tmp/binnacle-link-\(getpid())"
    defer { unlink(link) }
    symlink("/dev/null", link)
    #expect(realPath(link) == "/dev/null")
    #expect(realPath(link + "-none") == nil)
  }

  @Test("small files are read whole, up to their limit")
  func small() {
    #expect(smallFile("/proc/self/comm")?.hasSuffix("\n") == true)
    #expect(smallFile("/dev/zero", byteLimit: 10)?.utf8.count == 10)
    #expect(smallFile("/nonexistent") == nil)
    #expect(smallFile("/") == nil)
  }

  @Test(
    "white space is trimmed at both ends",
    arguments: [
      (" a b \n", "a b"), ("", ""), (" \n", ""), ("x", "x"),
    ])
  func trimming(text: String, trimmed: String) {
    #expect(text.trimmingSpace == trimmed)
  }
}

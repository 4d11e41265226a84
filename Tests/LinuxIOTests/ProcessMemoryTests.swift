import Testing

@testable import LinuxIO

@Suite("Process memory") struct ProcessMemoryTests {
  @Test("code that was given back is there when it is needed")
  func released() {
    let before = Self.residentFilePages
    ProcessMemory.releaseCode()
    #expect(fileExists("/proc/self/maps"))
    #expect(Self.residentFilePages < before)
  }

  /// Pages of files in memory, proc_pid_statm(5): most of them code.
  private static var residentFilePages: Int {
    let fields = (smallFile("/proc/self/statm") ?? "").split(separator: " ")
    return fields.count > 2 ? Int(fields[2]) ?? 0 : 0
  }
}

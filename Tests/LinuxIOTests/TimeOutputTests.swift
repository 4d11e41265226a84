import CLinux
import Glibc
import Testing

@testable import LinuxIO

@Suite("Time outputs") struct TimeOutputTests {
  /// chrony's struct sock_sample: time of the system, offset, pulse, leap, padding, magic.
  @Test("a chrony sample, also to a chronyd that was started again")
  func chrony() throws {
    let path = "/tmp/binnacle-chrony-\(getpid()).sock"
    defer { unlink(path) }
    let socket = try ChronySocket()
    #expect(throws: Errno.noSuchFile) { try socket.send(real: 1, clock: 2, to: path) }
    for _ in 0..<2 {
      let chronyd = try Self.bound(to: path)
      defer {
        close(chronyd)
        unlink(path)
      }
      try socket.send(
        real: 1_791_972_672_000_000_000, clock: 1_791_972_672_250_000_123, to: path)
      var bytes = [UInt8](repeating: 0, count: 64)
      #expect(recv(chronyd, &bytes, 64, 0) == 40)
      bytes.withUnsafeBytes { bytes in
        #expect(bytes.load(fromByteOffset: 0, as: Int64.self) == 1_791_972_672)
        #expect(bytes.load(fromByteOffset: 8, as: Int64.self) == 250_000)
        #expect(bytes.load(fromByteOffset: 16, as: Double.self) == -0.25)
        #expect(bytes.load(fromByteOffset: 24, as: Int32.self) == 0)
        #expect(bytes.load(fromByteOffset: 28, as: Int32.self) == 0)
        #expect(bytes.load(fromByteOffset: 36, as: UInt32.self) == 0x534f_434b)
      }
    }
    #expect(throws: Errno.noSuchFile) { try socket.send(real: 1, clock: 2, to: path) }
  }

  @Test("shared memory has the layout of ntpd's on this machine")
  func layout() {
    #expect(MemoryLayout<binnacle_ntp_time>.size == 96)
    #expect(MemoryLayout<binnacle_ntp_time>.offset(of: \.receive_seconds) == 24)
    #expect(MemoryLayout<binnacle_ntp_time>.offset(of: \.valid) == 48)
    #expect(MemoryLayout<binnacle_ntp_time>.offset(of: \.receive_nanoseconds) == 56)
  }

  @Test("a sample in shared memory is whole and counted")
  func memory() throws {
    let unit = 77
    let memory = try NTPSharedMemory(unit: unit)
    memory.send(real: 5_000_000_007, clock: 4_250_000_009, precision: -20)
    let identifier = shmget(0x4e54_5030 + key_t(unit), 0, 0)
    let address = try #require(shmat(identifier, nil, 0))
    let seen = address.load(as: binnacle_ntp_time.self)
    shmdt(address)
    shmctl(identifier, IPC_RMID, nil)
    #expect((seen.mode, seen.valid, seen.precision) == (1, 1, -20))
    #expect(seen.count % 2 == 0)
    #expect((seen.clock_seconds, seen.clock_nanoseconds, seen.clock_microseconds) == (5, 7, 0))
    #expect((seen.receive_seconds, seen.receive_nanoseconds) == (4, 250_000_009))
    #expect(seen.receive_microseconds == 250_000)
    withExtendedLifetime(memory) {}
  }

  @Test("a terminal without a pulse has no pulse device")
  func noPulse() {
    #expect(PulseSource.device(ofTerminal: "/dev/pts/0") == nil)
    #expect(throws: Errno.noSuchFile) { _ = try PulseSource(path: "/dev/pps-none") }
  }

  private static func bound(to path: String) throws -> CInt {
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
    let address = try #require(SocketAddress(path: path))
    #expect(address.withSockaddr { bind(descriptor, $0, $1) } == 0)
    return descriptor
  }
}

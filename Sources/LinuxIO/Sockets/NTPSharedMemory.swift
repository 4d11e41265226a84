import CLinux
import Glibc

/// One unit of the shared memory that ntpd and chronyd read as a reference clock (ntpd's driver 28,
/// chrony.conf(5) `refclock SHM`).
package final class NTPSharedMemory {
  private let memory: UnsafeMutablePointer<binnacle_ntp_time>

  /// The key of unit 0.
  private static let firstKey: key_t = 0x4e54_5030
  package static let unitMax = 255

  /// Makes the unit, or joins the one there is. Units 0 and 1 are for root alone, as every reader
  /// expects.
  package init(unit: Int) throws(Errno) {
    let mode: CInt = unit < 2 ? 0o600 : 0o666
    let size = MemoryLayout<binnacle_ntp_time>.size
    let identifier = try systemCall {
      shmget(Self.firstKey + key_t(unit), size, CInt(IPC_CREAT) | mode)
    }
    let address = shmat(identifier, nil, 0)
    guard let address, Int(bitPattern: address) != -1 else { throw Errno(rawValue: errno) }
    memory = address.bindMemory(to: binnacle_ntp_time.self, capacity: 1)
  }

  deinit { shmdt(memory) }

  /// Tells the reader a sample; one that it did not fetch is replaced.
  /// - Parameters:
  ///   - real: The true time, in nanoseconds since 1970.
  ///   - clock: What the system's clock showed then.
  ///   - precision: The binary logarithm of the precision in seconds.
  package func send(real: Int64, clock: Int64, precision: Int) {
    // Mode 1: a reader that finds the count changed meanwhile drops what it read.
    memory.pointee.mode = 1
    memory.pointee.valid = 0
    memory.pointee.count &+= 1
    binnacle_fence()
    memory.pointee.clock_seconds = real / 1_000_000_000
    memory.pointee.clock_nanoseconds = UInt32(real % 1_000_000_000)
    memory.pointee.clock_microseconds = Int32(real % 1_000_000_000 / 1000)
    memory.pointee.receive_seconds = clock / 1_000_000_000
    memory.pointee.receive_nanoseconds = UInt32(clock % 1_000_000_000)
    memory.pointee.receive_microseconds = Int32(clock % 1_000_000_000 / 1000)
    memory.pointee.leap = 0
    memory.pointee.precision = Int32(precision)
    binnacle_fence()
    memory.pointee.count &+= 1
    memory.pointee.valid = 1
  }
}

import GNSS
import ReceiverControl

extension Evidence {
  /// What is installed, and what the service manager makes of it.
  package struct Installation: Sendable {
    package var hasRules = true
    package var hasUnit = true
    package var isMasked = false
    package var isRunning = false
    /// What is wrong with the configuration, with file and line; `nil` for nothing.
    package var configurationError: String?
    /// Whether gpsd's own socket is switched on.
    package var isGPSDSocketEnabled = false
    package init() {}
  }

  /// Where the log lies.
  package struct Storage: Sendable {
    package var path = "/var/lib/binnacle/fixes.ring"
    /// The size that the configuration gives it, in bytes.
    package var byteCount = 64 << 20
    package var exists = true
    /// Free bytes on its file system; `nil` where that cannot be told.
    package var freeByteCount: Int?
    /// The type of its file system, as `ext4`.
    package var fileSystem: String?
    package var isReadOnly = false
    /// Why the ring cannot be read; `nil` where it can.
    package var damage: String?
    package var newestFix: UTCTime?
    package init() {}
  }

  package struct Clock: Sendable {
    package var hasRealTimeClock = true
    package var isSynchronised = true
    /// chronyd's sockets that the configuration names, and whether each is there.
    package var chronySockets: [(path: String, exists: Bool)] = []
    /// Whether the configuration lets the daemon set the system's clock.
    package var isToBeSet = false
    /// Whether the running daemon has the right to; `nil` where that cannot be told.
    package var mayBeSet: Bool?
    package init() {}
  }

  /// What listening to a port told.
  package struct Heard: Equatable, Sendable {
    package var byteCount = 0
    /// Messages whose checksum held.
    package var messageCount = 0
    /// The protocols they were of, as `NMEA`.
    package var protocols: [String] = []
    /// The receiver, as far as it says; empty where it does not.
    package var name = ""
    /// The speed at which that was, in baud; `nil` for a port without one.
    package var baud: Int?
    /// Growth of the driver's counts while listening; `nil` where it does not count.
    package var frameErrorCount: Int?
    package var overrunCount: Int?
    /// For how long it was listened, in seconds.
    package var seconds = 0
    package init() {}
    package var isReceiver: Bool { messageCount > 0 }
  }

  /// What the daemon tells of itself.
  package struct DaemonState: Sendable {
    package var receivers: [ReceiverState] = []
    package var clientCount = 0
    /// Whether the policy has location switched off for everybody.
    package var isLocationOff = false
    /// Whom the policy denies location: `user NAME`, `group NAME` or `client NAME`.
    package var refusedClients: [String] = []
    package init() {}
  }

  package struct ReceiverState: Sendable {
    package var identity = ""
    /// Whether it is plugged in.
    package var isPresent = true
    package var name = ""
    package var firmware = ""
    package var byteCount = 0
    package var messageCount = 0
    package var rejectedCount = 0
    package var frameErrorCount = 0
    package var overrunCount = 0
    /// `nil` where it does not know.
    package var antenna: ReceiverHealth.Antenna?
    package var isJammed = false
    package var hasFix = false
    package var isDated = true
    package var satelliteCount = 0
    /// The strongest signal, in dB-Hz; `nil` for none.
    package var strongestSignal: Double?
    /// Whether the receiver reports satellites at all.
    package var reportsSatellites = true
    /// Whether an epoch of its was seen.
    package var hasToldFix = false
    /// Seconds since it was switched on or opened.
    package var openSeconds = 0
    /// Why it sleeps, in words; `nil` where it is awake.
    package var sleepReason: String?
    package init() {}
    /// Whether nothing more is to be expected of it soon.
    package var hasTold: Bool {
      !isPresent || messageCount == 0 || sleepReason != nil || hasToldFix && reportsSatellites
    }
  }
}

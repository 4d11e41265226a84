/// The control protocol: lines of JSON between the daemon and its clients. Its page is
/// `Sources/BinnacleDaemon/ControlProtocol.md`.
package enum Control {
  /// The only version so far. Within one, members and requests may be added.
  package static let version = 1
  /// Where the daemon listens unless it is configured otherwise.
  package static let defaultPath = "/run/binnacle/control.sock"
  /// Bytes of a client's line; a longer one is answered with an error and skipped.
  package static let requestByteCountMax = 64 << 10
  /// Bytes of a line of the daemon's, for clients: no answer is longer.
  package static let answerByteCountMax = 256 << 10
  /// Where a list is continued in another answer, in bytes and in values of JSON.
  package static let pageByteCountMax = 48 << 10
  package static let pageValueCountMax = 2500
  /// Corners that a polygon may have on its way.
  package static let cornerCountMax = 1000
  /// Bytes of UTF-8 in the name that a client gives itself.
  package static let clientNameByteCountMax = 128
}

import Bytes
import LinuxIO

/// Why a program cannot get from the daemon what it asks for.
public enum BinnacleError: Error, Equatable, Sendable {
  /// There is no daemon, or it listens somewhere else.
  case noSuchSocket(path: String)
  case accessDenied(path: String)
  case cannotConnect(path: String, problem: String)
  /// Something else listens there.
  case notBinnacle(path: String)
  /// The daemon has ended, or dropped the connection.
  case closed(path: String)
  case timeout(path: String)
  case requestTooLong
  /// The daemon refused; the code is that of the protocol, the number that of `CLError` where the
  /// error is one.
  case refused(code: String, number: Int?, message: String)

  init(_ error: SocketError, path: String) {
    switch error {
    case .cannotConnect(_, .noSuchFile), .cannotConnect(_, .connectionRefused):
      self = .noSuchSocket(path: path)
    case .cannotConnect(_, .accessDenied): self = .accessDenied(path: path)
    case .cannotConnect(_, let errno), .cannotListen(_, let errno):
      self = .cannotConnect(path: path, problem: errno.text)
    }
  }

  init(answer: JSONValue) {
    self = .refused(
      code: answer["code"]?.string ?? "error",
      number: answer["number"]?.integer.flatMap { Int(exactly: $0) },
      message: answer["message"]?.string ?? "refused without a reason")
  }

  /// One line: what failed, on what, and the next step.
  public var message: String {
    switch self {
    case .noSuchSocket(let path):
      "\(path): no daemon listens there; start it with 'systemctl start binnacle' or "
        + "'binnacle run', or name its socket with --socket"
    case .accessDenied(let path): "\(path): access denied; join the group binnacle"
    case .cannotConnect(let path, let problem): "\(path): cannot connect: \(problem)"
    case .notBinnacle(let path): "\(path): what listens there is no binnacle daemon"
    case .closed(let path):
      "\(path): the daemon closed the connection; 'journalctl -u binnacle' tells why"
    case .timeout(let path): "\(path): the daemon does not answer; 'systemctl status binnacle'"
    case .requestTooLong: "the request is too long; make it smaller"
    case .refused(_, _, let message): message
    }
  }
}

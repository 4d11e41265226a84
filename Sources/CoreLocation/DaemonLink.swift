import BinnacleClient
import Bytes
import ControlProtocol
import Dispatch
import Foundation
import LinuxIO
import LocationServices

/// This program's connection to the daemon: one for all managers, streams and monitors.
///
/// All of it happens on one queue. Handlers are called there and hand over to where the program
/// waits. When the daemon goes, everybody is told, one line is logged, and what is open is opened
/// again when it returns.
final class DaemonLink: @unchecked Sendable {
  static let shared = DaemonLink()

  /// What a subscriber is told.
  enum Event: Sendable {
    case update(Update)
    /// The daemon is not there, or does not do what was asked.
    case failed(CLError)
    /// What was asked for is open (again).
    case opened
    /// How the program stands, to those that asked for nothing else; the first time and whenever it
    /// may have changed.
    case standing(Standing)
  }

  /// What is kept open.
  enum Subject: Sendable {
    case session(SessionOptions)
    case monitor(String)
    /// Nothing but how the program stands; with full accuracy, where a purpose is given.
    case authorization(purpose: String?)
  }

  typealias Token = UInt64
  typealias Handler = @Sendable (Event) -> Void

  private struct Subscription {
    var subject: Subject
    var handler: Handler
    var session: SessionID?
    /// Whether it knows that the daemon is gone.
    var isToldOfFailure = false
  }

  private let queue = DispatchQueue(label: "binnacle.corelocation")
  private var connection: BinnacleConnection?
  private var source: (any DispatchSourceRead)?
  private var subscriptions: [Token: Subscription] = [:]
  private var lastToken: Token = 0
  private var current = Standing()
  private var retryDelay = DaemonLink.retryDelayMin
  private var isRetrying = false
  private var isFailureLogged = false
  private var positionWaiters: [@Sendable (CLLocation?) -> Void] = []

  /// Seconds until the daemon is looked for again; doubled each time.
  private static let retryDelayMin = 0.5
  private static let retryDelayMax = 10.0

  /// What this program may know, as far as the daemon has said.
  struct Standing: Equatable, Sendable {
    var status = CLAuthorizationStatus.notDetermined
    var accuracy = CLAccuracyAuthorization.fullAccuracy
    /// Location is off for the whole system.
    var isOff = false
    /// Why nothing is known; `nil` while the daemon is there.
    var failure: CLError?
  }

  /// Where the daemon listens: in the environment, else where it does unless configured otherwise.
  static let socketPath =
    ProcessInfo.processInfo.environment["BINNACLE_SOCKET"] ?? BinnacleConnection.defaultPath

  /// By which the policy knows this program.
  static let clientName =
    Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName

  /// Asks the daemon where it has not been asked yet.
  var standing: Standing {
    queue.sync {
      connect()
      return current
    }
  }

  /// Opens something and keeps it open until `unsubscribe`.
  func subscribe(_ subject: Subject, _ handler: @escaping Handler) -> Token {
    queue.sync {
      lastToken += 1
      subscriptions[lastToken] = Subscription(subject: subject, handler: handler)
      return lastToken
    }
  }

  /// Starts what was subscribed. Apart from `subscribe`, so that the token is known before the
  /// first event.
  func open(_ token: Token) {
    queue.async { [self] in
      guard connection != nil else {
        connect()
        // While the daemon is looked for again, nobody else tells that it is gone.
        if connection == nil { tellOfFailure(token) }
        return
      }
      openSubscription(token)
      drain()
    }
  }

  func unsubscribe(_ token: Token) {
    queue.async { [self] in
      guard let subscription = subscriptions.removeValue(forKey: token) else { return }
      switch subscription.subject {
      case .session:
        guard let session = subscription.session else { return }
        _ = try? perform(.service(.closeSession(session)))
      case .monitor(let name): _ = try? perform(.service(.closeMonitor(name)))
      case .authorization: break
      }
      drain()
    }
  }

  /// Asks one thing.
  func request(
    _ request: ControlRequest,
    _ completion: @escaping @Sendable (Result<JSONValue, CLError>) -> Void
  ) {
    queue.async { [self] in
      connect()
      completion(perform(catching: request))
      drain()
    }
  }

  /// Asks for one position, over a connection of its own, as that may take a while. The answer
  /// comes after what was to be told before, such as where the program stands.
  func requestLocation(
    _ options: OneShot.Options,
    _ completion: @escaping @Sendable (Result<CLLocation, CLError>) -> Void
  ) {
    DispatchQueue.global().async {
      do throws(BinnacleError) {
        let connection = try BinnacleConnection(
          path: Self.socketPath, clientName: Self.clientName)
        let answer = try connection.perform(
          .service(.requestLocation(options)), timeout: options.timeout + .seconds(5))
        let location = LocationUpdate(answer).flatMap { CLLocation($0) }
        self.queue.async {
          completion(location.map { .success($0) } ?? .failure(CLError(.locationUnknown)))
        }
      } catch {
        self.queue.async { [self] in
          connect()
          completion(.failure(CLError(error)))
        }
      }
    }
  }

  /// Where the board is, soon and roughly: one request for all that wait for it.
  func position(_ completion: @escaping @Sendable (CLLocation?) -> Void) {
    queue.async { [self] in
      positionWaiters.append(completion)
      guard positionWaiters.count == 1 else { return }
      var options = OneShot.Options(tier: .hundredMeters)
      options.timeout = Self.positionTimeout
      requestLocation(options) { [self] result in
        queue.async { [self] in
          for waiter in positionWaiters { waiter(try? result.get()) }
          positionWaiters = []
        }
      }
    }
  }

  /// Enough for a cold start.
  private static let positionTimeout = Duration.seconds(60)

  // MARK: On the queue

  private func perform(_ request: ControlRequest) throws(BinnacleError) -> JSONValue {
    guard let connection else { throw .noSuchSocket(path: Self.socketPath) }
    do throws(BinnacleError) {
      return try connection.perform(request)
    } catch {
      if case .refused = error { throw error }
      disconnected(error)
      throw error
    }
  }

  private func perform(catching request: ControlRequest) -> Result<JSONValue, CLError> {
    do throws(BinnacleError) {
      return .success(try perform(request))
    } catch {
      return .failure(CLError(error))
    }
  }

  private func connect() {
    guard connection == nil, !isRetrying else { return }
    do throws(BinnacleError) {
      let connection = try BinnacleConnection(path: Self.socketPath, clientName: Self.clientName)
      self.connection = connection
      let source = DispatchSource.makeReadSource(
        fileDescriptor: connection.descriptor, queue: queue)
      source.setEventHandler { [self] in drain() }
      // The descriptor is closed only when nobody watches it any more.
      source.setCancelHandler { withExtendedLifetime(connection) {} }
      source.resume()
      self.source = source
      (retryDelay, isFailureLogged) = (Self.retryDelayMin, false)
      refreshStanding()
      for token in subscriptions.keys.sorted() {
        subscriptions[token]?.isToldOfFailure = false
        openSubscription(token)
      }
      drain()
    } catch {
      disconnected(error)
    }
  }

  private func disconnected(_ error: BinnacleError) {
    source?.cancel()
    (source, connection) = (nil, nil)
    let failure = CLError(error)
    log(failure)
    current = Standing()
    current.failure = failure
    if failure.code == .denied { current.status = .denied }
    for token in subscriptions.keys.sorted() {
      subscriptions[token]?.session = nil
      tellOfFailure(token)
    }
    retry()
  }

  /// Once until the daemon returns.
  private func tellOfFailure(_ token: Token) {
    guard let failure = current.failure, let subscription = subscriptions[token],
      !subscription.isToldOfFailure
    else { return }
    subscriptions[token]?.isToldOfFailure = true
    subscription.handler(.failed(failure))
  }

  private func retry() {
    guard !isRetrying else { return }
    isRetrying = true
    queue.asyncAfter(deadline: .now() + retryDelay) { [self] in
      isRetrying = false
      if !subscriptions.isEmpty { connect() }
    }
    retryDelay = min(retryDelay * 2, Self.retryDelayMax)
  }

  /// One line for each time that it fails, not for each attempt.
  private func log(_ failure: CLError) {
    guard !isFailureLogged else { return }
    isFailureLogged = true
    StandardError.line("CoreLocation: \(failure.localizedDescription)")
  }

  private func openSubscription(_ token: Token) {
    guard let subscription = subscriptions[token], subscription.session == nil else { return }
    do throws(BinnacleError) {
      switch subscription.subject {
      case .session(let options):
        let answer = try perform(.service(.openSession(options)))
        subscriptions[token]?.session = answer["session"]?.integer.map { SessionID($0) }
      case .monitor(let name): _ = try perform(.service(.openMonitor(name)))
      case .authorization(let purpose):
        if let purpose { requestFullAccuracy(purpose) }
        return subscription.handler(.standing(current))
      }
      subscription.handler(.opened)
    } catch {
      // Where the connection broke everybody has been told.
      guard case .refused = error else { return }
      let failure = CLError(error)
      log(failure)
      subscription.handler(.failed(failure))
    }
  }

  private func requestFullAccuracy(_ purpose: String) {
    _ = perform(
      catching: .service(.requestFullAccuracy(purpose: purpose, Authorizations.temporarySpanMax)))
    refreshStanding()
  }

  private func refreshStanding() {
    guard case .success(let answer) = perform(catching: .authorization) else { return }
    var standing = Standing()
    let number = answer["number"]?.integer.flatMap { Int32(exactly: $0) }
    standing.status = number.flatMap { CLAuthorizationStatus(rawValue: $0) } ?? .notDetermined
    standing.accuracy =
      answer["accuracy"]?.string == "reducedAccuracy" ? .reducedAccuracy : .fullAccuracy
    standing.isOff = answer["off"]?.bool ?? false
    current = standing
    switch standing.status {
    case .authorizedAlways, .authorizedWhenInUse: break
    case .denied where standing.isOff:
      log(
        CLError(
          .denied, "location is off for the whole system; 'binnacle policy on' switches it on"))
    case .denied, .restricted:
      log(CLError(.denied, "the policy denies '\(Self.clientName)'; see 'binnacle grant'"))
    case .notDetermined:
      log(CLError(.denied, "nobody has allowed '\(Self.clientName)' yet; see 'binnacle grant'"))
    }
  }

  /// Hands over all that has come.
  private func drain() {
    while let connection {
      do throws(BinnacleError) {
        guard let line = try connection.nextUpdate(timeout: .zero) else { return }
        dispatch(line)
      } catch {
        disconnected(error)
      }
    }
  }

  private func dispatch(_ line: JSONValue) {
    guard line["type"]?.string == "update", let update = Update(line) else { return }
    if case .diagnostics = update { refreshStanding() }
    let session = line["session"]?.integer.map { SessionID($0) }
    let monitor = line["monitor"]?.string
    for token in subscriptions.keys.sorted() {
      guard let subscription = subscriptions[token] else { continue }
      switch subscription.subject {
      case .session where subscription.session == session && session != nil:
        subscription.handler(.update(update))
      case .monitor(let name) where name == monitor: subscription.handler(.update(update))
      case .authorization:
        if case .diagnostics = update { subscription.handler(.standing(current)) }
      default: break
      }
    }
  }
}

extension CLError {
  init(_ error: BinnacleError) {
    switch error {
    case .refused(_, let number?, let message):
      self.init(Code(rawValue: number) ?? .locationUnknown, message)
    case .accessDenied: self.init(.denied, error.message)
    default: self.init(.locationUnknown, error.message)
    }
  }
}

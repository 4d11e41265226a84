import Bytes
import GNSS

@testable import LocationServices

/// A daemon around the service, with a disk and a log that can be cut off at any command.
struct ServiceHarness {
  var service: LocationService
  var policy: Policy
  /// The state file.
  var disk: [UInt8] = []
  /// The log's events.
  var log: [ServiceEvent] = []
  var delivered: [(update: Update, to: LocationService.Recipient)] = []
  var answers: [(answer: Answer, request: RequestID)] = []
  var demands: [Demand?] = []
  var audits: [AuditEvent] = []
  var timer = Monotonic.never
  /// Whether the disk takes writes.
  var diskWorks = true
  /// After so many more commands the power goes.
  var commandsLeft = Int.max
  private var nextRequest: RequestID = 1

  init(policy: Policy = .standard, at now: Now = .test(0)) {
    self.policy = policy
    service = LocationService(policy: policy)
    perform(service.start(at: now), at: now)
  }

  /// What a policy file's lines say.
  init(policy lines: String) throws {
    self.init(policy: try Policy(lines, path: "policy"))
  }

  var isAlive: Bool { commandsLeft > 0 }

  mutating func handle(_ event: LocationService.Event, at now: Now) {
    guard isAlive else { return }
    perform(service.handle(event, at: now), at: now)
  }

  /// Does what the service says, and answers as the disk and the log do, once all of it is done.
  private mutating func perform(_ commands: [LocationService.Command], at now: Now) {
    var results: [LocationService.Event] = []
    for command in commands {
      guard commandsLeft > 0 else { return }
      commandsLeft -= 1
      switch command {
      case .deliver(let update, let recipient): delivered.append((update, recipient))
      case .answer(let answer, let request, _): answers.append((answer, request))
      case .wantReceiver(let demand): demands.append(demand)
      case .armTimer(let instant): timer = instant
      case .audit(let event): audits.append(event)
      case .persist(let write, let ticket): results.append(persist(write, ticket))
      case .log(let event):
        log.append(event)
        results.append(.logged(through: event.sequence))
      }
    }
    for result in results { handle(result, at: now) }
  }

  private mutating func persist(
    _ write: LocationService.StateWrite, _ ticket: UInt64
  ) -> LocationService.Event {
    guard diskWorks else { return .persistFailed }
    switch write {
    case .append(let bytes):
      // The power goes in the middle of the write.
      disk += isAlive ? bytes : Array(bytes.prefix(bytes.count * 2 / 3))
    case .replace(let bytes): if isAlive { disk = bytes }
    }
    return .persisted(through: ticket)
  }

  /// Starts anew from what is on disk.
  mutating func restart(at now: Now) throws {
    let contents = try disk.withByteView { try StateJournal.read($0) }
    disk.removeLast(contents.damagedByteCount)
    service = LocationService(
      policy: policy, restoring: contents.entries, loggedThrough: log.last?.sequence ?? 0)
    commandsLeft = .max
    timer = .never
    perform(service.start(at: now), at: now)
  }

  /// Lets a timer fire, if it is due.
  mutating func passTime(to now: Now) {
    if timer <= now.boottime { handle(.timerFired, at: now) }
  }

  mutating func fix(
    _ position: Coordinate, accuracy: Double = 3, seconds: Double, speed: Double? = nil
  ) {
    passTime(to: .test(seconds))
    handle(
      .fix(.at(position, accuracy: accuracy, seconds: seconds, speed: speed)), at: .test(seconds))
  }

  @discardableResult
  mutating func ask(_ request: Request, _ client: ClientID, seconds: Double = 0) -> Answer? {
    let id = nextRequest
    nextRequest += 1
    handle(.asked(request, id, client), at: .test(seconds))
    return answers.last.flatMap { $0.request == id ? $0.answer : nil }
  }

  /// Connects a client and opens a session for it.
  @discardableResult
  mutating func open(
    _ options: SessionOptions, _ client: ClientID, as credentials: Credentials,
    seconds: Double = 0
  ) -> Answer? {
    if service.clients[client] == nil {
      handle(.connected(client, credentials), at: .test(seconds))
    }
    return ask(.openSession(options), client, seconds: seconds)
  }

  /// The fixes that a client was told of.
  func locations(_ client: ClientID) -> [LocationUpdate] {
    delivered.compactMap { update, recipient in
      guard case .session(_, client) = recipient, case .location(let location) = update else {
        return nil
      }
      return location
    }
  }

  func diagnostics(_ client: ClientID) -> [Diagnostics] {
    delivered.compactMap { update, recipient in
      guard case .session(_, client) = recipient, case .diagnostics(let diagnostics) = update
      else { return nil }
      return diagnostics
    }
  }
}

extension Credentials {
  static let pi = Credentials(userID: 1000, userName: "pi", groups: ["binnacle"])
  static let guest = Credentials(userID: 1001, userName: "guest", groups: ["users"])
  static let root = Credentials(userID: 0, userName: "root", clientName: "console")
}

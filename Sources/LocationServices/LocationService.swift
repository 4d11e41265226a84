import GNSS

/// Decides who is told what of the receiver's position, and what the receiver is wanted for.
///
/// Its owner feeds it events and does what the commands say, in their order; what comes of a
/// command is fed after the last one is done. It reads no clock and does no input or output, so
/// that the same events always make the same commands.
///
/// **Exactly once.** A region's or a visit's event is first written to the state file together
/// with the state that it leads to (`persist`). Only when that is on disk (`persisted`) is it told
/// to the log and to clients. When the log has it on disk (`logged`), the state file forgets it.
/// Killed before the write, the service finds the old state again and sees the same event in the
/// next fix; killed after it, it tells the log what that does not hold yet.
package struct LocationService: Sendable {
  package enum Event: Sendable {
    case connected(ClientID, Credentials)
    case disconnected(ClientID)
    case asked(Request, RequestID, ClientID)
    /// An epoch of the receiver, also one without a position.
    case fix(Fix)
    /// The receiver is gone or cannot be used, in words for people.
    case receiverLost(reason: String)
    case receiverFound
    /// The duty cycle gave up an attempt to get a fix.
    case searchFailed
    case timerFired
    case policyLoaded(Policy)
    /// The writes up to this one are on disk.
    case persisted(through: UInt64)
    /// A write failed: it and what follows is to be written anew, later.
    case persistFailed
    /// The log holds the events up to this one on disk.
    case logged(through: UInt64)
  }

  package enum Command: Equatable, Sendable {
    case deliver(Update, Recipient)
    case answer(Answer, RequestID, ClientID)
    /// What all together want of the receiver; `nil`: nobody wants anything.
    case wantReceiver(Demand?)
    /// Send `timerFired` then; replaces the last one. `never`: not at all.
    case armTimer(Monotonic)
    case persist(StateWrite, ticket: UInt64)
    case log(ServiceEvent)
    case audit(AuditEvent)
  }

  package enum StateWrite: Equatable, Sendable {
    /// To the end of the state file.
    case append([UInt8])
    /// In place of the whole file, atomically.
    case replace([UInt8])
  }

  package enum Recipient: Equatable, Sendable {
    case session(SessionID, ClientID)
    case monitor(String, ClientID)
  }

  package static let sessionCountPerClientMax = 64
  package static let requestCountPerClientMax = 16
  package static let standingSessionCountMax = 1000
  /// A write that failed is tried again after this.
  static let persistRetryInterval = Duration.seconds(30)
  /// Bytes that the state file may grow by, besides to twice its size, before it is written anew.
  static let journalSlackByteCount = 64 << 10

  package internal(set) var authorizations: Authorizations
  package var activities: ActivityTable

  var clients: [ClientID: Credentials] = [:]
  package internal(set) var sessions: [Session] = []
  var oneShots: [PendingOneShot] = []
  package internal(set) var monitors: [Monitor] = []

  var regions = RegionWatch()
  var reducedRegions = RegionWatch()
  var visits = VisitWatch()
  /// What everybody with reduced accuracy gets, gpsd's clients too.
  package internal(set) var reducer = ReducedAccuracy()
  var motion = MotionWatch()
  /// By activity, for the activities of sessions that may pause.
  var stationary = StationaryWatches()
  var search = SearchWatch()
  package internal(set) var lastSighting: Sighting?
  var failure: String?

  package internal(set) var demand: Demand?
  var timer = Monotonic.never
  var nextSessionID: SessionID = 1
  var outbox = Outbox()

  /// What one call of `handle` gathers.
  var commands: [Command] = []

  struct PendingOneShot: Sendable {
    var request: RequestID
    var client: ClientID
    var shot: OneShot
    var isReduced: Bool
  }

  /// The visit that lasts; `nil` while there is none.
  package var currentVisit: Visit? { visits.current }

  package init(policy: Policy = .standard, activities: ActivityTable = ActivityTable()) {
    authorizations = Authorizations(policy: policy)
    self.activities = activities
  }

  package mutating func handle(_ event: Event, at now: Now) -> [Command] {
    switch event {
    case .connected(let client, let credentials): clients[client] = credentials
    case .disconnected(let client): disconnect(client, at: now)
    case .asked(let request, let id, let client): ask(request, id, client, at: now)
    case .fix(let fix): observe(fix, at: now)
    case .receiverLost(let reason):
      failure = reason
      search.failed(at: now.boottime)
    case .receiverFound: failure = nil
    case .searchFailed: search.failed(at: now.boottime)
    case .timerFired: timerFired(at: now)
    case .policyLoaded(let policy): load(policy, at: now)
    case .persisted(let ticket): commands += outbox.persisted(through: ticket)
    case .persistFailed: commands += outbox.persistFailed(at: now.boottime)
    case .logged(let sequence): outbox.logged(through: sequence)
    }
    return finish(at: now)
  }

  /// Writes what changed, tells the receiver and sets the timer.
  mutating func finish(at now: Now) -> [Command] {
    if outbox.isWriteDue(at: now.boottime) {
      let whole = outbox.isReplacementDue ? snapshot() : nil
      commands.append(.persist(outbox.write(whole), ticket: outbox.ticket))
    }
    updateDemand(at: now)
    updateTimer()
    defer { commands.removeAll() }
    return commands
  }

  private mutating func timerFired(at now: Now) {
    timer = .never
    if search.timerFired(at: now.boottime) { tellUnknown(at: now) }
    expireOneShots(at: now)
    let ended = authorizations.expire(at: now)
    for (owner, right) in ended {
      audit(
        .fullAccuracyEnded, by: .system,
        "user \(owner.userID) \(owner.clientName): \(right.purpose)",
        at: now)
    }
    if !ended.isEmpty { refreshAuthorizations(at: now) }
  }

  /// Whether somebody is there to be told that there is no fix. If not, nothing is done about it
  /// here: the receiver's duty cycle goes on by itself, and the machine may sleep.
  private var hasAudience: Bool {
    guard oneShots.isEmpty else { return true }
    for index in sessions.indices where sessions[index].client != nil {
      if sessions[index].isActive { return true }
    }
    return false
  }

  private mutating func updateTimer() {
    var next = min(authorizations.nextEnd, outbox.retryAt)
    if search.deadline < next, hasAudience { next = search.deadline }
    for index in oneShots.indices { next = min(next, oneShots[index].shot.deadline) }
    guard next != timer else { return }
    timer = next
    commands.append(.armTimer(next))
  }

  private mutating func tellUnknown(at now: Now) {
    let error = LocationError(
      .locationUnknown, cause: failure ?? "the receiver has no fix, and goes on trying")
    for index in sessions.indices where sessions[index].isActive {
      deliver(.failure(error), toSessionAt: index)
    }
    refreshDiagnostics(at: now)
  }
}

import Bytes
import ControlProtocol
import GNSS
import Glibc
import LinuxIO
import LocationServices

// What clients of the control protocol ask.
extension Daemon {
  func perform(_ orders: [ControlServer.Order]) {
    for order in orders {
      switch order {
      case .connected(let client, let credentials): serve(.connected(client, credentials))
      case .disconnected(let client):
        observers[client] = nil
        serve(.disconnected(client))
      case .request(let request, let id, let client):
        answer(request, ControlTicket(client: client, request: id), at: clock.now())
      case .answer(let line, let client): control.answer(line, to: client)
      }
    }
  }

  private func answer(_ request: ControlRequest, _ ticket: ControlTicket, at now: Now) {
    guard let credentials = control.credentials(of: ticket.client) else { return }
    switch request {
    case .hello: refuse(.invalid("'hello' is to be the first request"), ticket)
    case .service(let request):
      serve(.asked(request, ticket.request, ticket.client), at: now)
    case .observe(let topics): observe(topics, ticket, at: now)
    case .receiver(let request):
      guard request.action == .show || mayCommandReceivers(credentials) else {
        return refuse(.notPermitted("receiver.\(request.action.rawValue)"), ticket)
      }
      perform(core.request(request, ticket, at: now))
    case .status:
      let status = status(for: credentials, at: now)
      control.answer(ControlLine.answer(ticket.request, status), to: ticket.client)
    default:
      let line = services.line(
        request, ticket.request, of: ticket.client, credentials, at: serviceTime(now))
      control.answer(line, to: ticket.client)
    }
  }

  func refuse(_ error: ControlError, _ ticket: ControlTicket) {
    control.answer(error.line(ticket.request), to: ticket.client)
  }

  /// Only root and the daemon's own user: what is done to a receiver can make it unusable.
  private func mayCommandReceivers(_ credentials: Credentials) -> Bool {
    credentials.userID == 0 || credentials.userID == Self.ownUser
  }

  /// How the receivers are used tells whether the board moves: that is for those who may know its
  /// place.
  private func status(for credentials: Credentials, at now: Now) -> [JSONMember] {
    let authorization = services.service.authorization(for: credentials, at: serviceTime(now))
    let isFull = authorization.isAuthorized && !authorization.isReduced
    var daemon: [JSONMember] = []
    daemon.add("version", options.version)
    daemon.add("process", Int(getpid()))
    daemon.add("uptime", (Clocks.monotonic() - started).inSeconds.rounded())
    var members: [JSONMember] = []
    members.add("daemon", .object(daemon))
    members.add("log", .object(log.members))
    if isFull {
      members.add("service", .object(services.members))
      members.add("receivers", core.receiverList(at: now))
    }
    members.add("clients", .object(clientCounts))
    return members
  }

  private var clientCounts: [JSONMember] {
    var members: [JSONMember] = []
    members.add("control", control.clientCount)
    members.add("gpsd", gpsd.clientCount)
    members.add("watching", gpsd.watchingCount)
    members.add("tooSlow", gpsd.counts.tooSlow)
    members.add("lostUpdates", control.clients.reduce(0) { $0 + $1.lostCount })
    return members
  }
}

extension LogKeeper {
  /// What `status` shows of the log.
  fileprivate var members: [JSONMember] {
    var members: [JSONMember] = []
    members.add("file", path)
    members.add("records", status.appendedCount)
    members.add("onDisk", status.durableCount)
    members.add("lost", status.lostCount)
    members.add("failures", status.failureCount)
    members.add("commits", status.commitCount)
    members.add("error", trouble ?? (status.failuresInRow > 0 ? status.lastError?.message : nil))
    return members
  }
}

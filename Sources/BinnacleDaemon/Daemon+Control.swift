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
      case .connected, .disconnected: break
      case .request(let request, let id, let client):
        answer(request, ControlTicket(client: client, request: id), at: Self.now())
      case .answer(let line, let client): control.answer(line, to: client)
      }
    }
  }

  private func answer(_ request: ControlRequest, _ ticket: ControlTicket, at now: Now) {
    switch request {
    case .status: control.answer(ControlLine.answer(ticket.request, status), to: ticket.client)
    case .receiver(let request):
      guard request.action == .show || mayCommandReceivers(ticket.client) else {
        return refuse(.notPermitted("receiver.\(request.action.rawValue)"), ticket)
      }
      perform(core.request(request, ticket, at: now))
    default: refuse(.unknownRequest(request.name), ticket)
    }
  }

  func refuse(_ error: ControlError, _ ticket: ControlTicket) {
    control.answer(error.line(ticket.request), to: ticket.client)
  }

  /// Only root and the daemon's own user: what is done to a receiver can make it unusable.
  private func mayCommandReceivers(_ client: ClientID) -> Bool {
    guard let user = control.credentials(of: client)?.userID else { return false }
    return user == 0 || user == Self.ownUser
  }

  private var status: [JSONMember] {
    var daemon: [JSONMember] = []
    daemon.add("version", options.version)
    daemon.add("process", Int(getpid()))
    daemon.add("uptime", (Clocks.monotonic() - started).inSeconds.rounded())
    var members: [JSONMember] = []
    members.add("daemon", .object(daemon))
    members.add("log", .object(log.members))
    members.add("receivers", core.receiverList)
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
    if status.failuresInRow > 0 { members.add("error", status.lastError?.message) }
    return members
  }
}

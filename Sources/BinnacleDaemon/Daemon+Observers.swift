import Bytes
import ControlProtocol
import GNSS
import LinuxIO
import LocationServices

// Clients that look on: what each receiver says, as it says it.
extension Daemon {
  /// Satellites and the times of epochs tell where the board is, so only who may know that
  /// exactly may look on.
  func observe(_ topics: Observation, _ ticket: ControlTicket, at now: Now) {
    guard let credentials = control.credentials(of: ticket.client) else { return }
    let authorization = services.service.authorization(
      for: credentials, at: serviceTime(now))
    if let refusal = authorization.refusal { return refuse(.refused(refusal), ticket) }
    guard !authorization.isReduced else {
      return refuse(
        .refused(
          LocationError(.denied, cause: "with reduced accuracy nothing can be observed")), ticket)
    }
    observers[ticket.client] = topics.isEmpty ? nil : topics
    control.answer(ControlLine.answer(ticket.request), to: ticket.client)
    guard topics.contains(.receivers) else { return }
    for slot in core.receivers.indices { tellState(of: slot, to: [ticket.client]) }
  }

  /// The policy has changed: who may not look on any more does not.
  func endObservations() {
    let now = serviceTime(clock.now())
    for client in observers.keys {
      let authorization = control.credentials(of: client).map {
        services.service.authorization(for: $0, at: now)
      }
      if authorization?.isAuthorized != true || authorization?.isReduced != false {
        observers[client] = nil
      }
    }
  }

  func tellObservers(of epoch: Epoch, from slot: DaemonCore.Slot) {
    guard !observers.isEmpty else { return }
    let name = core.receivers[slot].session.identity
    tell(observing: .fixes, "fixes", name) { output in
      output.append(member: "fix")
      FixJSON.append(epoch.fix, to: &output)
    }
    if epoch.satellitesAreFresh {
      tell(observing: .satellites, "satellites", name) { output in
        output.append(member: "sky")
        FixJSON.append(epoch.satellites, to: &output)
      }
    }
    if isNews(of: slot) { tellState(of: slot) }
  }

  /// How old the counts and times in a receiver's state become for who looks on.
  static let countsAgeMax = Duration.seconds(10)

  /// Every epoch counts more bytes; that alone is not worth a line.
  private func isNews(of slot: DaemonCore.Slot) -> Bool {
    guard observers.values.contains(where: { $0.contains(.receivers) }) else { return false }
    guard let last = toldStates[slot] else { return true }
    return last.at + Self.countsAgeMax <= Clocks.monotonic()
      || last.standing != core.standing(of: slot)
  }

  func tellState(of slot: DaemonCore.Slot) {
    guard core.receivers.indices.contains(slot) else { return }
    let clients = observers.filter { $0.value.contains(.receivers) }.map(\.key)
    guard !clients.isEmpty else { return }
    toldStates[slot] = (core.standing(of: slot), Clocks.monotonic())
    tellState(of: slot, to: clients)
  }

  private func tellState(of slot: DaemonCore.Slot, to clients: [ClientID]) {
    let name = core.receivers[slot].session.identity
    let line = ControlUpdate.observed("receivers", receiver: name) { output in
      output.append(member: "state")
      output.append(json: .object(core.members(of: slot, at: clock.now())))
    }
    for client in clients { control.update(line, to: client) }
  }

  private func tell(
    observing topic: Observation, _ name: StaticString, _ receiver: String,
    _ write: (inout OutputBuffer) -> Void
  ) {
    let clients = observers.filter { $0.value.contains(topic) }.map(\.key)
    guard !clients.isEmpty else { return }
    let line = ControlUpdate.observed(name, receiver: receiver, write)
    for client in clients { control.update(line, to: client) }
  }
}

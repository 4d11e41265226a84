import Bytes
import GNSS
import LocationServices

extension ControlLine {
  /// What the location services answered.
  package static func line(_ answer: Answer, _ id: RequestID) -> [UInt8] {
    var members: [JSONMember] = []
    switch answer {
    case .done: break
    case .doneWithWarning(let warning): members.add("warning", warning)
    case .opened(let session): members.add("session", Int(clamping: session))
    case .position(let location): return position(location, id)
    case .refused(let error): return ControlError.refused(error).line(id)
    case .invalid(let problem): return ControlError.invalid(problem).line(id)
    }
    return self.answer(id, members)
  }

  private static func position(_ location: LocationUpdate, _ id: RequestID) -> [UInt8] {
    var output = OutputBuffer()
    output.append(#"{"type":"answer""#)
    output.append(member: "id", Int(clamping: id))
    ControlUpdate.append(location, to: &output)
    output.append("}\n")
    return output.bytes
  }

  /// A list that may be continued in other answers: as many as go into one.
  /// - Parameters:
  ///   - name: Of the member that holds the list.
  ///   - valueCount: Of one item, about.
  package static func page<Item>(
    _ id: RequestID, _ name: String, _ items: some Sequence<Item>,
    valueCount: (Item) -> Int, item: (Item) -> [JSONMember]
  ) -> [UInt8] {
    var list = OutputBuffer()
    var (values, isComplete) = (0, true)
    for next in items {
      values += valueCount(next)
      let isFull = values > Control.pageValueCountMax || list.count > Control.pageByteCountMax
      if isFull, !list.isEmpty {
        isComplete = false
        break
      }
      if !list.isEmpty { list.append(byte: UInt8(ascii: ",")) }
      list.append(json: .object(item(next)))
    }
    var output = OutputBuffer()
    output.append(#"{"type":"answer""#)
    output.append(member: "id", Int(clamping: id))
    if !isComplete { output.append(member: "more", true) }
    output.append(#",""#)
    output.append(text: name)
    output.append(#"":["#)
    output.append(bytes: list.bytes)
    output.append("]}\n")
    return output.bytes
  }

  /// Those who use location, after the session of a number. How much others were told is for
  /// administrators: it shows whether the board moves.
  package static func sessions(
    _ sessions: some Sequence<Session>, after: SessionID, for reader: Credentials, at now: Now,
    _ id: RequestID
  ) -> [UInt8] {
    page(
      id, "sessions", sessions.filter { $0.id > after }, valueCount: { _ in 30 },
      item: { session in
        let isOwn = session.credentials.userID == reader.userID && !session.isSystem
        return session.members(at: now, withDeliveries: reader.isAdministrator || isOwn)
      })
  }

  package static func regions(
    _ records: some Sequence<RegionRecord>, _ id: RequestID
  ) -> [UInt8] {
    page(id, "regions", records, valueCount: \.valueCount, item: { $0.members })
  }
}

extension Session {
  fileprivate func members(at now: Now, withDeliveries: Bool) -> [JSONMember] {
    var members: [JSONMember] = []
    members.add("session", Int(clamping: id))
    members.add("user", credentials.userName ?? "\(credentials.userID)")
    members.add("uid", Int(credentials.userID))
    members.add("client", credentials.clientName)
    members += options.members
    members.add("since", since.time)
    members.add("age", (now.boottime - since.boottime).inSeconds.rounded())
    members.add("connected", client != nil || isSystem)
    members.add("active", isActive)
    members.add("reduced", authorization.isReduced)
    members.add("authorization", authorization.status.name)
    guard withDeliveries else { return members }
    members.add("paused", isPaused)
    if !diagnostics.isEmpty { members.add("diagnostics", diagnostics.names.json) }
    members.add("delivered", deliveredCount)
    members.add("lastDelivered", lastDelivered?.time)
    return members
  }
}

extension AuthorizationStatus {
  /// As in Core Location.
  package var name: String { "\(self)" }
}

extension Authorization {
  package func members(at now: Now) -> [JSONMember] {
    var members: [JSONMember] = []
    members.add("authorization", status.name)
    members.add("number", status.rawValue)
    members.add("accuracy", isReduced ? "reducedAccuracy" : "fullAccuracy")
    if isGloballyOff { members.add("off", true) }
    if let fullAccuracyUntil {
      members.add("fullAccuracyFor", (fullAccuracyUntil - now.boottime).inSeconds.rounded())
    }
    return members
  }
}

extension RegionRecord {
  fileprivate var valueCount: Int {
    if case .polygon(let corners) = shape { return 10 + 3 * corners.count }
    return 14
  }

  package var members: [JSONMember] {
    var members: [JSONMember] = []
    members.add("identifier", identifier)
    members.add(shape)
    if !options.notifiesEntry { members.add("notifyEntry", false) }
    if !options.notifiesExit { members.add("notifyExit", false) }
    members.add("state", state.name)
    members.add("changed", changed)
    if isUnreliable { members.add("unreliable", true) }
    return members
  }
}

extension MonitorDescription {
  package var members: [JSONMember] {
    var members: [JSONMember] = []
    members.add("monitor", name)
    members.add("user", owner.userName ?? "\(owner.userID)")
    members.add("client", owner.clientName)
    members.add("open", isOpen)
    members.add("count", regions.count)
    return members
  }
}

import Bytes
import LocationServices

/// What a client asks of the daemon.
package enum ControlRequest: Equatable, Sendable {
  /// Who the client is; to be the first request, if it comes at all.
  case hello(clientName: String?)
  /// For the location services.
  case service(Request)
  /// What the client may do.
  case authorization
  /// Who uses location, after the session of this number.
  case sessions(after: SessionID)
  /// The client's monitors, without their regions.
  case monitors
  /// The regions of a monitor that come after this identifier.
  case regions(monitor: String, after: String)
  /// What is known of one region of a monitor that the client has open.
  case record(monitor: String, identifier: String)
  /// The visit that lasts.
  case visit
  /// The rules and grants from this one on.
  case policy(from: Int)
  case status
  /// Streams what receivers say, or ends that.
  case observe(Observation)
  case receiver(ReceiverRequest)
}

/// What a client that looks on is told of all receivers, besides the fixes of its sessions.
package struct Observation: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Every epoch's fix, of each receiver, whoever else wants it.
  package static let fixes = Observation(rawValue: 1)
  /// The satellites, where an epoch lists them.
  package static let satellites = Observation(rawValue: 2)
  /// The state of each receiver, where it changes.
  package static let receivers = Observation(rawValue: 4)

  private static let all: [(Observation, String)] = [
    (.fixes, "fixes"), (.satellites, "satellites"), (.receivers, "receivers"),
  ]

  package var names: [String] { Self.all.filter { contains($0.0) }.map(\.1) }

  package init?(names: [String]) {
    self = []
    for name in names {
      guard let known = Self.all.first(where: { $0.1 == name }) else { return nil }
      insert(known.0)
    }
  }
}

/// A request that concerns one receiver: `receiver.show`, `receiver.configure` and so on.
package struct ReceiverRequest: Equatable, Sendable {
  package enum Action: String, CaseIterable, Sendable {
    case show
    case configure
    case restart
    case restore
  }

  package var action: Action
  /// Its identity, its port, or part of either; `nil`: the only one.
  package var receiver: String?
  /// The other members of the request, such as `kind` of a restart.
  package var options: [JSONMember]

  package init(_ action: Action, receiver: String? = nil, options: [JSONMember] = []) {
    (self.action, self.receiver, self.options) = (action, receiver, options)
  }
}

import Bytes
import GNSS

@testable import GPSDProtocol

/// A hub with a simulated clock, and what it sent to whom.
struct HubHarness {
  static let path = "/dev/ttyACM0"
  var hub = GPSDHub(release: "3.25-test") { epoch in
    var reduced = Epoch()
    (reduced.fix.mode, reduced.fix.time) = (epoch.fix.mode, epoch.fix.time)
    reduced.fix.position = Coordinate(latitude: 1, longitude: 2)
    return reduced
  }
  var now = GPSDHub.Now(
    boottime: Monotonic(nanoseconds: 1_000_000_000_000),
    utc: UTCTime(iso8601: "2026-10-14T10:11:12Z") ?? UTCTime(microseconds: 0))
  /// Everything that was not sent.
  var orders: [GPSDHub.Command] = []
  private(set) var sent: [GPSDHub.ClientID: [String]] = [:]

  static let full = GPSDHub.Rights(access: .full, mayWrite: false)

  mutating func connect(
    _ id: UInt32, _ rights: GPSDHub.Rights = full, dialect: GPSDHub.Dialect = .gpsd
  ) {
    run(hub.connected(.init(id), dialect: dialect, rights: rights))
  }

  mutating func say(_ id: UInt32, _ text: String) {
    run(Array(text.utf8).withByteView { hub.received($0, from: .init(id), at: now) })
  }

  mutating func epoch(_ epoch: Epoch, from path: String = path) {
    var epoch = epoch
    epoch.lastByte = now.boottime
    run(hub.epoch(epoch, from: path, at: now))
  }

  mutating func bytes(_ bytes: [UInt8]) {
    run(bytes.withByteView { hub.bytes($0, from: Self.path) })
  }

  mutating func run(_ commands: [GPSDHub.Command]) {
    for command in commands {
      guard case .send(let ids, let bytes) = command else {
        orders.append(command)
        continue
      }
      for id in ids { sent[id, default: []].append(String(decoding: bytes, as: UTF8.self)) }
    }
  }

  /// Lets time pass, with the hub's deadlines kept.
  mutating func wait(_ span: Duration) {
    let end = now.boottime + span
    while let deadline = hub.deadline, deadline <= end {
      advance(to: max(deadline, now.boottime))
      run(hub.timer(at: now))
    }
    advance(to: end)
  }

  private mutating func advance(to instant: Monotonic) {
    now.utc = now.utc + (instant - now.boottime)
    now.boottime = instant
  }

  /// What was sent to the client since the last call, a send an element.
  mutating func received(_ id: UInt32) -> [String] {
    defer { sent[.init(id)] = nil }
    return sent[.init(id)] ?? []
  }

  /// Each line that was sent.
  mutating func lines(_ id: UInt32) -> [String] {
    let lineEnd: Character = "\r\n"
    return received(id).flatMap { $0.split(separator: lineEnd).map(String.init) }
  }

  /// Each line read as JSON.
  mutating func reports(_ id: UInt32) -> [JSONValue] {
    lines(id).map { text in
      (try? Array(text.utf8).withByteView { try JSONReader.value(of: $0) }) ?? .null
    }
  }

  /// `device` is there from the start.
  static func withDevice() -> HubHarness {
    var harness = HubHarness()
    harness.addDevice()
    return harness
  }

  mutating func addDevice(_ path: String = path, aliases: [String] = []) {
    var device = GPSDDevice(path: path, activated: now.utc)
    device.aliases = aliases
    run(hub.added(device))
  }

  /// An epoch without a fix.
  var searching: Epoch {
    var epoch = Epoch()
    epoch.fix.mode = .none
    epoch.fix.time = now.utc
    return epoch
  }

  /// An epoch with a fix, now.
  var fixed: Epoch {
    var epoch = searching
    epoch.fix.mode = .threeD
    epoch.fix.position = Coordinate(latitude: -49.5, longitude: 70.25)
    (epoch.fix.altitudeMSL, epoch.fix.speed) = (12, 1.5)
    return epoch
  }
}

extension JSONValue {
  var className: String { self["class"]?.string ?? "not JSON" }
  var mode: Int64? { self["mode"]?.integer }
}

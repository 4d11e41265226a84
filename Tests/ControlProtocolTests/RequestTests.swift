import Bytes
import GNSS
import LocationServices
import Testing

@testable import ControlProtocol

@Suite("Control requests") struct ControlRequestTests {
  private static let here = Coordinate(latitude: -17.5, longitude: 179.25)

  static let requests: [ControlRequest] = {
    var options = SessionOptions()
    options.services = [.updates, .heading]
    (options.tier, options.activity) = (.hundredMeters, .fitness)
    options.filter = .distance(12.5)
    (options.isStanding, options.name) = (true, "trail")
    (options.purpose, options.wantsFullAccuracy) = ("map", true)
    (options.pausesAutomatically, options.headingFilter) = (false, 5)
    var epochs = SessionOptions()
    epochs.filter = .everyEpoch
    var once = OneShot.Options(tier: .kilometer)
    (once.timeout, once.maximumAge) = (.milliseconds(1500), .zero)
    var region = RegionOptions()
    (region.notifiesExit, region.assumedState) = (false, .satisfied)
    let corners = [
      here, Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: 3, longitude: 4),
    ]
    let circle = Request.addRegion(
      monitor: "m", identifier: "ä \"quoted\"", .circle(centre: here, radius: 99.5), region)
    let polygon = Request.addRegion(
      monitor: "m", identifier: "p", .polygon(corners), RegionOptions())
    let service: [Request] = [
      .openSession(options), .openSession(epochs), .openSession(SessionOptions()),
      .closeSession(7), .requestLocation(once), .openMonitor("m"), .closeMonitor("m"),
      .removeMonitor("m"), circle, polygon, .removeRegion(monitor: "m", identifier: "p"),
      .requestFullAccuracy(purpose: "rescue", .seconds(60)),
    ]
    let changes: [PolicyChange] = [
      .grant(.user("pi"), Verdict(.always, isReduced: true, mayAskFullAccuracy: true)),
      .revoke(.group("gps users")), .forget(.client("com.example.map")), .setEnabled(true),
      .setEnabled(nil),
      .grantFullAccuracy(
        Owner(userID: 1000, clientName: "map"), purpose: "rescue", .seconds(90)),
    ]
    let receiver = ReceiverRequest(
      .restart, receiver: "ttyACM0", options: [JSONMember(name: "kind", value: .string("cold"))])
    let others: [ControlRequest] = [
      .hello(clientName: "com.example.map"), .hello(clientName: nil), .authorization,
      .sessions(after: 3), .monitors, .regions(monitor: "m", after: "a"),
      .record(monitor: "m", identifier: "p"), .visit, .policy(from: 2), .status,
      .observe([.fixes, .satellites]), .observe([]), .receiver(receiver),
    ]
    return service.map { .service($0) } + changes.map { .service(.administer($0)) } + others
  }()

  @Test("come out as they went in", arguments: requests.indices)
  func roundTrip(index: Int) throws {
    let request = Self.requests[index]
    var members: [JSONMember] = []
    members.add("id", 5)
    members.add("request", request.name)
    let line = ControlLine.bytes(members + request.members)
    #expect(line.last == 10 && line.count { $0 == 10 } == 1)
    let numbered = try line.withByteView { try NumberedRequest(parsing: $0) }
    #expect(numbered == NumberedRequest(5, request))
  }

  private static let region =
    #"{"id":5,"request":"addRegion","monitor":"m","identifier":"r","#

  static let refused: [(line: String, id: UInt64?, code: String)] = [
    ("", nil, "malformed"), ("[1]", nil, "malformed"), (#"{"request":"status"}"#, nil, "malformed"),
    (#"{"id":-1,"request":"status"}"#, nil, "malformed"), (#"{"id":1}"#, 1, "malformed"),
    (#"{"id":1,"request":7}"#, 1, "malformed"), (#"{"id":1,"request":"x"}"#, 1, "unknownRequest"),
    (#"{"id":1,"request":"receiver.eat"}"#, 1, "unknownRequest"),
    (#"{"id":2,"request":"hello","protocol":2}"#, 2, "unsupportedVersion"),
    (#"{"id":2,"request":"hello","client":""}"#, 2, "invalid"),
    (#"{"id":3,"request":"openSession","tier":"huge"}"#, 3, "invalid"),
    (#"{"id":3,"request":"openSession","services":["x"]}"#, 3, "invalid"),
    (#"{"id":3,"request":"openSession","services":"updates"}"#, 3, "invalid"),
    (#"{"id":3,"request":"openSession","filter":true}"#, 3, "invalid"),
    (#"{"id":3,"request":"openSession","live":"dive"}"#, 3, "invalid"),
    (#"{"id":4,"request":"requestLocation","timeout":-1}"#, 4, "invalid"),
    (#"{"id":4,"request":"requestLocation","timeout":1e300}"#, 4, "invalid"),
    (#"{"id":5,"request":"addRegion","monitor":"m","identifier":"r"}"#, 5, "invalid"),
    (
      region + #""circle":{"lat":1}}"#, 5,
      "invalid"
    ),
    (
      region + #""polygon":[[1]]}"#, 5,
      "invalid"
    ),
    (#"{"id":5,"request":"addRegion","monitor":"m"}"#, 5, "invalid"),
    (#"{"id":6,"request":"grant","subject":"pi","verdict":"allow"}"#, 6, "invalid"),
    (#"{"id":6,"request":"grant","subject":"user pi","verdict":"maybe"}"#, 6, "invalid"),
    (#"{"id":6,"request":"grantFullAccuracy","user":-1,"purpose":"x"}"#, 6, "invalid"),
    (#"{"id":7,"request":"observe","topics":["all"]}"#, 7, "invalid"),
    (#"{"id":8,"request":"sessions","after":-5}"#, 8, "invalid"),
  ]

  @Test("are refused with a code, and the number where it was legible", arguments: refused)
  func refuses(line: String, id: UInt64?, code: String) {
    var refusal: NumberedRequest.Refusal?
    do throws(NumberedRequest.Refusal) {
      _ = try Self.parse(line)
    } catch {
      refusal = error
    }
    #expect(refusal?.id == id && refusal?.error.code == code)
    #expect(refusal.map { !$0.error.message.isEmpty } == true)
  }

  private static func parse(_ line: String) throws(NumberedRequest.Refusal) -> NumberedRequest {
    let outcome = Array(line.utf8).withByteView {
      view -> Result<NumberedRequest, NumberedRequest.Refusal> in
      do throws(NumberedRequest.Refusal) {
        return .success(try NumberedRequest(parsing: view))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  @Test("a newer client's members are ignored")
  func newer() throws {
    let line = Array(#"{"id":1,"request":"status","mood":{"good":[true,null]}}"#.utf8)
    #expect(try line.withByteView { try NumberedRequest(parsing: $0) }.request == .status)
  }
}

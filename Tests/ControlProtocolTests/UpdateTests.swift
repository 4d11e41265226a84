import Bytes
import GNSS
import LocationServices
import Testing

@testable import ControlProtocol

@Suite("Control updates") struct ControlUpdateTests {
  static let fix: Fix = {
    var fix = Fix()
    fix.time = UTCTime(iso8601: "2026-10-14T05:06:07.250Z")
    fix.dateSource = .receiver
    (fix.mode, fix.status) = (.threeD, .dgps)
    fix.position = Coordinate(latitude: 48.123456789, longitude: -11.5)
    (fix.altitudeMSL, fix.altitudeEllipsoid, fix.geoidSeparation) = (500.25, 547.5, 47.25)
    (fix.speed, fix.course, fix.climb) = (1.5, 359.25, -0.25)
    (fix.horizontalAccuracy, fix.verticalAccuracy) = (2.5, 4)
    (fix.speedAccuracy, fix.courseAccuracy, fix.satellitesUsed) = (0.5, 3.5, 11)
    (fix.dop.horizontal, fix.magneticVariation) = (0.75, 3.25)
    return fix
  }()

  static let updates: [Update] = {
    var location = LocationUpdate(fix)
    (location.isStationary, location.isJump, location.isReduced) = (true, true, true)
    let arrival = UTCTime(seconds: 1_790_000_000)
    var visit = Visit(
      coordinate: Coordinate(latitude: 1.5, longitude: 2.5), horizontalAccuracy: 12.5,
      arrival: arrival)
    let lasting = visit
    visit.departure = arrival + .seconds(600)
    return [
      .location(LocationUpdate(fix)), .location(location), .visit(lasting), .visit(visit),
      .heading(.lost),
      .heading(
        .heading(
          Heading(trueHeading: 12.5, magneticHeading: 9, accuracy: nil, time: arrival))),
      .region(identifier: "home \\ \"1\"", state: .unsatisfied, time: nil),
      .region(identifier: "home", state: .satisfied, time: arrival),
      .diagnostics([.accuracyLimited, .locationUnavailable]), .diagnostics([]),
      .failure(LocationError(.locationUnknown, cause: "no sky", nextStep: "go outside")),
    ]
  }()

  @Test("come out as they went in", arguments: updates.indices)
  func roundTrip(index: Int) throws {
    let update = Self.updates[index]
    let line = ControlUpdate.line(update, for: .session(4, 1))
    #expect(line.last == 10 && line.count { $0 == 10 } == 1)
    let value = try line.withByteView { try JSONReader.value(of: $0) }
    #expect(value["type"] == .string("update") && value["session"] == .integer(4))
    #expect(Update(value) == update)
  }

  @Test("an update of a newer daemon is none")
  func newer() throws {
    let line = Array(#"{"type":"update","session":1,"update":"smell"}"#.utf8)
    #expect(Update(try line.withByteView { try JSONReader.value(of: $0) }) == nil)
  }

  @Test("a list goes on in a second answer, and nothing is left out or told twice")
  func pages() throws {
    let names = (0..<4000).map { "region \($0)" }
    var (seen, after, pages) = ([String](), "", 0)
    while true {
      let rest = names.filter { after.isEmpty || Self.number($0) > Self.number(after) }
      let line = ControlLine.page(
        1, "regions", rest, valueCount: { _ in 14 },
        item: { [JSONMember(name: "identifier", value: .string($0))] })
      #expect(line.count <= Control.answerByteCountMax)
      let value = try line.withByteView { try JSONReader.value(of: $0) }
      let page = value["regions"]?.array?.compactMap { $0["identifier"]?.string } ?? []
      (seen, pages) = (seen + page, pages + 1)
      guard value["more"]?.bool == true, let last = page.last else { break }
      after = last
    }
    #expect(seen == names && pages > 10)
  }

  private static func number(_ name: String) -> Int {
    name.split(separator: " ").last.flatMap { Int($0) } ?? -1
  }
}

import Bytes
import GNSS
import GNSSWire
import LinuxIO
import Testing

@testable import GPSDProtocol

/// The corpus's cases about the protocol, with the answers that are given there. The one about the
/// simulator is held by its own program.
@Suite("Corpus cases of the protocol") struct ProtocolCaseTests {
  private static let path: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(4).joined(separator: "/") + "/shared/corpus/cases.jsonl"
  }()

  /// `nil` where the corpus is not there.
  private func find(_ id: String) throws -> (input: JSONValue, expect: JSONValue)? {
    guard let text = smallFile(Self.path, byteLimit: 1 << 24) else {
      print("skipped: \(Self.path) is not there")
      return nil
    }
    for line in text.split(separator: "\n") {
      let value = try Self.json(line)
      guard value["id"] == .string(id), let input = value["input"]?.string else { continue }
      return (try Self.json(input), value["expect"] ?? .null)
    }
    Issue.record("the corpus has no case \(id)")
    return nil
  }

  private static func json(_ text: some StringProtocol) throws -> JSONValue {
    try Array(text.utf8).withByteView { try JSONReader.value(of: $0) }
  }

  private static func strings(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }

  /// What the receiver says, decoded without a date to start from.
  private static func receive(_ text: String?, _ harness: inout HubHarness) {
    var decoder = StreamDecoder(dates: DateSettings())
    var epochs: [Epoch] = []
    let take = { (report: StreamReport) in
      if case .epoch(let epoch) = report { epochs.append(epoch.pointee) }
    }
    let now = harness.now.boottime
    Array((text ?? "").utf8).withByteView { decoder.decode($0, at: now, report: take) }
    decoder.finish(at: now, report: take)
    for epoch in epochs { harness.epoch(epoch) }
  }

  /// The sends that each request of the client is answered with; the first is the greeting.
  private static func answers(_ input: JSONValue, _ harness: inout HubHarness) -> [[String]] {
    receive(input["rx"]?.string, &harness)
    harness.connect(1)
    var answers = [harness.received(1)]
    for request in strings(input["client"] ?? input["client_chunks"]) {
      harness.say(1, request)
      answers.append(harness.received(1))
    }
    return answers
  }

  @Test("GPD-01: no fix, no position")
  func searching() throws {
    guard let (input, expect) = try find("GPD-01") else { return }
    var harness = HubHarness.withDevice()
    let reports = try Self.answers(input, &harness).joined().map { try Self.json($0) }
    #expect(reports.map(\.className) == Self.strings(expect["order"]))
    let report = try #require(reports.first { $0.className == "TPV" })
    #expect(Self.strings(expect["tpv_required"]).allSatisfy { report[$0] != nil })
    #expect(expect["tpv_mode"]?["any_of"]?.array?.contains { $0.integer == report.mode } == true)
    #expect(Self.strings(expect["tpv_absent"]).allSatisfy { report[$0] == nil })
    let poll = try #require(reports.last)
    #expect(Self.strings(expect["poll"]?["has"]).allSatisfy { poll[$0] != nil })
    for key in Self.strings(expect["poll"]?["tpv_absent"]) {
      #expect(poll["tpv"]?.array?.allSatisfy { $0[key] == nil } == true)
    }
  }

  @Test("GPD-02: wrong requests")
  func wrong() throws {
    guard let (input, expect) = try find("GPD-02") else { return }
    var harness = HubHarness.withDevice()
    let answers = try Self.answers(input, &harness).map { try $0.map { try Self.json($0) } }
    #expect(answers[0].map(\.className) == [expect["banner"]?.string])
    #expect(answers[1].first?.className == "ERROR" && answers[1].first?["message"] != nil)
    #expect(answers[1].allSatisfy { $0.className != "WATCH" || $0["enable"]?.bool == false })
    #expect(answers[2].map(\.className) == [expect["second_request"]?.string])
    #expect(answers[3].allSatisfy { $0.className == "ERROR" })
    #expect(answers[4].prefix(2).map(\.className) == ["DEVICES", "WATCH"])
    #expect(answers[4][1]["enable"]?.bool == true && answers[4][1]["json"]?.bool == true)
    #expect(!harness.orders.contains(.close(.init(1))))
  }

  @Test("GPD-03: requests that are cut anywhere")
  func cut() throws {
    guard let (input, _) = try find("GPD-03") else { return }
    var harness = HubHarness.withDevice()
    let reports = try Self.answers(input, &harness).dropFirst().joined().map { try Self.json($0) }
    // The report of a device that has said nothing comes between the answers.
    let classes = reports.map(\.className).filter { $0 != "TPV" }
    #expect(classes == ["DEVICES", "DEVICES", "WATCH", "VERSION"])
    #expect(!harness.orders.contains(.close(.init(1))))
  }

  @Test("GPD-04: no date, no time")
  func undated() throws {
    guard let (input, expect) = try find("GPD-04") else { return }
    var harness = HubHarness.withDevice()
    let lines = Self.answers(input, &harness).joined()
    let reports = try lines.map { try Self.json($0) }
    let report = try #require(reports.first { $0.className == "TPV" })
    #expect(Self.strings(expect["tpv_absent"]).allSatisfy { report[$0] == nil })
    let latitude = try #require(report["lat"]?.number)
    let expected = try #require(expect["tpv"]?["lat"]?.number)
    #expect(abs(latitude - expected) < 1e-8)
    for text in Self.strings(expect["never_contains"]) {
      #expect(lines.allSatisfy { !$0.contains(text) })
    }
  }

  @Test("GPD-06: a client before any receiver")
  func comesAndGoes() throws {
    guard let (input, expect) = try find("GPD-06") else { return }
    var harness = HubHarness()
    let first = try Self.answers(input, &harness).joined().map { try Self.json($0) }
    #expect(
      first.first { $0.className == "DEVICES" }?["devices"] == expect["at_connect"]?["DEVICES"])
    var seconds: Int64 = 0
    for event in input["events"]?.array ?? [] {
      let next = event["t"]?.integer ?? seconds
      harness.wait(.seconds(next - seconds))
      seconds = next
      if let path = event["add"]?.string {
        harness.addDevice(path)
        let device = try #require(harness.reports(1).last)
        #expect(device.className == "DEVICE" && device["path"] == expect["after_add"]?["path"])
        #expect(device["activated"]?.string.flatMap { UTCTime(iso8601: $0) } != nil)
      } else if let text = event["rx"]?.string {
        Self.receive(text, &harness)
        #expect(harness.reports(1).contains { $0.className == "TPV" && $0["lat"] != nil })
      } else if let path = event["remove"]?.string {
        harness.run(harness.hub.removed(path: path))
        let device = try #require(harness.reports(1).last)
        #expect(device.className == "DEVICE")
        #expect(device["activated"] == expect["after_remove"]?["activated"])
      }
    }
    #expect(!harness.orders.contains(.close(.init(1))))
  }
}

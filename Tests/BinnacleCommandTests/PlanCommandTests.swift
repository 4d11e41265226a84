import Bytes
import Testing

@testable import BinnacleCommand

@Suite("plan") struct PlanCommandTests {
  static let refused: [(arguments: [String], words: String)] = [
    (["a", "b"], "one TRACK"), (["--receiver", "sirf"], "ublox-m10"),
    (["--receiver", "l76k", "--profile", "x"], "--profile"), (["--days", "0"], "--days"),
    (["--ground-speed", "3"], "TRACK"), (["/nowhere/at-all"], "No such file"),
    (["--profile", "/dev/null"], "/dev/null:"),
  ]

  @Test("refuses what cannot be, in words", arguments: refused)
  func refuses(arguments: [String], words: String) {
    do throws(CommandError) {
      _ = try PlanReport(Invocation(of: .plan, parsing: arguments))
      Issue.record("\(arguments) was taken")
    } catch {
      #expect(error.message.contains(words), "\(error.message)")
    }
  }

  static func output(_ format: String) throws -> [UInt8] {
    let track = SimulateCommandTests.captures + "/straight-line.gpx"
    let invocation = try Invocation(
      of: .plan,
      parsing: [track, "--tier", "kilometer", "--tier", "reduced", "--battery", "10"])
    var output = OutputBuffer()
    try #require(PlanFormat(rawValue: format)).write(try PlanReport(invocation), to: &output)
    return output.bytes
  }

  @Test("prints a line for each tier in each table, and the same again")
  func text() throws {
    let text = String(decoding: try Self.output("text"), as: UTF8.self)
    let lines = text.split(separator: "\n")
    for tier in ["always on", "kilometer", "reduced"] {
      #expect(lines.count { $0.hasPrefix(tier) } == 2)
    }
    #expect(text.contains("unverified figures: cyclic"))
    #expect(try Self.output("text") == Array(text.utf8))
  }

  @Test("JSON is one object, whose states add up to the whole")
  func json() throws {
    let bytes = try Self.output("json")
    let value = try bytes.withByteView { view in try JSONReader.value(of: view) }
    let always = try #require(value["always"])
    let energy = try #require(always["energy"]?.number)
    let states = ["asleep", "searching", "tracking", "cyclic"]
    let sum = states.compactMap { always["joules"]?[$0]?.number }.reduce(0, +)
    #expect(abs(sum - energy) < 0.01)
    #expect(value["tiers"]?.array?.count == 2)
  }

  @Test("the page is whole and needs nothing from elsewhere")
  func html() throws {
    let page = String(decoding: try Self.output("html"), as: UTF8.self)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.split(separator: "<svg").count == 6)
    for word in ["http", "src=", "href=", "NaN", "inf\""] { #expect(!page.contains(word)) }
  }
}

import Bytes
import GNSS
import ReceiverControl
import ReceiverSimulator

/// A plan as tables for a terminal.
enum PlanText {
  static func lines(of report: PlanReport) -> [String] {
    var lines = [
      "\(report.profile.name)",
      "\(report.journeyName), \(span(report.length)), activity \(report.activity.name), "
        + "seed \(report.seed)",
    ]
    if !report.unverified.isEmpty {
      lines.append("unverified figures: \(report.unverified.joined(separator: ", "))")
    }
    for table in tables(of: report) {
      lines += ["", table.title, ""] + self.lines(of: table.rows)
    }
    return lines
  }

  /// Its first row is the head.
  struct Table {
    let title: String
    let rows: [[String]]
  }

  static func tables(of report: PlanReport) -> [Table] {
    var tables = [
      Table(title: "Energy", rows: energyRows(report)),
      Table(
        title: "Position at random instants, in metres and seconds", rows: accuracyRows(report)),
    ]
    if report.rows.contains(where: { $0.fixed != nil }) {
      tables.append(
        Table(
          title: "The cheapest schedule of fixed times with the same 95 % error while moving",
          rows: fixedRows(report)))
    }
    return tables
  }

  private static func energyRows(_ report: PlanReport) -> [[String]] {
    var head = ["tier", "power mW", "of always"]
    head += PlanResult.State.allCases.map { "\($0.name) J" } + ["wakes"]
    if report.battery != nil { head += ["battery", "with board"] }
    let results =
      [("always on", report.always)] + report.rows.map { ("\($0.tier.name)", $0.result) }
    return [head]
      + results.map { name, result in
        var row = [name, fixed(result.power * 1000, 2), percent(report.share(result))]
        row += result.joules.map { fixed($0, 1) } + ["\(result.wakeCount)"]
        if report.battery != nil {
          row.append(report.life(result, withBoard: false).map { span($0) } ?? "-")
          row.append(report.life(result, withBoard: true).map { span($0) } ?? "-")
        }
        return row
      }
  }

  private static func accuracyRows(_ report: PlanReport) -> [[String]] {
    let head = [
      "tier", "radius", "within", "moving 50 %", "95 %", "all 50 %", "95 %", "age 50 %", "95 %",
      "fixes", "failed",
    ]
    let results =
      [("always on", report.always, Double?.none)]
      + report.rows.map { ("\($0.tier.name)", $0.result, $0.radius) }
    return [head]
      + results.map { name, result, radius in
        let within = radius.map { percent(result.movingError.share(within: $0)) } ?? "-"
        return [
          name, radius.map { fixed($0, 0) } ?? "-", within, meters(result.movingError.at(0.5)),
          meters(result.movingError.at(0.95)), meters(result.error.at(0.5)),
          meters(result.error.at(0.95)), fixed(result.age.at(0.5), 0),
          fixed(result.age.at(0.95), 0), "\(result.fixCount)", "\(result.failureCount)",
        ]
      }
  }

  private static func fixedRows(_ report: PlanReport) -> [[String]] {
    var rows = [
      ["tier", "95 % error", "adaptive J", "every", "95 % error", "fixed J", "adaptive/fixed"]
    ]
    for row in report.rows {
      guard let other = row.fixed else { continue }
      rows.append([
        "\(row.tier.name)", meters(row.result.movingError.at(0.95)), fixed(row.result.energy, 1),
        other.period.map { "\(Int($0.inSeconds)) s" } ?? "always on",
        meters(other.result.movingError.at(0.95)), fixed(other.result.energy, 1),
        other.result.energy > 0 ? percent(row.result.energy / other.result.energy) : "-",
      ])
    }
    return rows
  }

  /// The first column to the left, the others to the right.
  private static func lines(of rows: [[String]]) -> [String] {
    guard let head = rows.first else { return [] }
    let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - cell.count)
        line += column == 0 ? cell + space : "  " + space + cell
      }
      return line
    }
  }

  static func fixed(_ value: Double, _ decimals: Int) -> String {
    var buffer = OutputBuffer()
    buffer.append(fixed: value, decimals: decimals)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  static func percent(_ share: Double) -> String { fixed(share * 100, share < 0.1 ? 2 : 1) + " %" }

  private static func meters(_ value: Double) -> String { fixed(value, value < 10 ? 1 : 0) }

  /// Days, or hours where it is less than two days.
  static func span(_ span: Duration) -> String {
    let hours = span.inSeconds / 3600
    return hours >= 48 ? fixed(hours / 24, 1) + " d" : fixed(hours, 1) + " h"
  }
}

extension PlanReport.Row {
  /// Metres that the tier allows.
  var radius: Double { DutyPolicy.policy(for: tier).radius }
}

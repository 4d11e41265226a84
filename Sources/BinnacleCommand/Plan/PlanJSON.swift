import Bytes
import GNSS
import ReceiverSimulator

/// A plan as one JSON object: seconds, joules, watts and metres.
enum PlanJSON {
  static func write(_ report: PlanReport, to output: inout OutputBuffer) {
    output.append("{\"receiver\":")
    output.append(jsonString: report.profile.id)
    output.append(member: "journey", report.journeyName)
    output.append(member: "activity", name: report.activity.name)
    output.append(member: "seed", Int(clamping: report.seed))
    output.append(member: "length", report.length.inSeconds, decimals: 3)
    output.append(member: "battery", report.battery, decimals: 3)
    output.append(member: "boardPower", report.boardPower, decimals: 3)
    output.append(member: "unverified")
    output.append("[")
    for (index, name) in report.unverified.enumerated() {
      if index > 0 { output.append(",") }
      output.append(jsonString: name)
    }
    output.append("]")
    output.append(member: "always")
    write(report.always, of: report, to: &output)
    output.append(member: "tiers")
    output.append("[")
    for (index, row) in report.rows.enumerated() {
      if index > 0 { output.append(",") }
      write(row, of: report, to: &output)
    }
    output.append("]}\n")
  }

  private static func write(
    _ row: PlanReport.Row, of report: PlanReport, to output: inout OutputBuffer
  ) {
    output.append("{\"tier\":")
    output.append(jsonString: "\(row.tier.name)")
    output.append(member: "radius", row.radius, decimals: 1)
    output.append(
      member: "withinRadius", row.result.movingError.share(within: row.radius), decimals: 4)
    output.append(member: "result")
    write(row.result, of: report, to: &output)
    if let fixed = row.fixed {
      output.append(member: "fixed")
      output.append("{\"isAlwaysOn\":")
      output.append(fixed.period == nil ? "true" : "false")
      output.append(member: "period", fixed.period?.inSeconds, decimals: 0)
      output.append(member: "result")
      write(fixed.result, of: report, to: &output)
      output.append("}")
    }
    output.append("}")
  }

  private static func write(
    _ result: PlanResult, of report: PlanReport, to output: inout OutputBuffer
  ) {
    output.append("{\"energy\":")
    output.append(trimmed: result.energy, decimals: 3)
    output.append(member: "power", result.power, decimals: 6)
    output.append(member: "shareOfAlways", report.share(result), decimals: 5)
    for (name, values) in [("seconds", result.seconds), ("joules", result.joules)] {
      output.append(",\"")
      output.append(text: name)
      output.append("\":{")
      for state in PlanResult.State.allCases {
        if state.rawValue > 0 { output.append(",") }
        output.append(jsonString: "\(state.name)")
        output.append(":")
        output.append(trimmed: values[state.rawValue], decimals: 3)
      }
      output.append("}")
    }
    output.append(member: "wakes", result.wakeCount)
    output.append(member: "fixes", result.fixCount)
    output.append(member: "failures", result.failureCount)
    output.append(member: "error")
    write(result.error, to: &output)
    output.append(member: "movingError")
    write(result.movingError, to: &output)
    output.append(member: "age")
    write(result.age, to: &output)
    output.append(
      member: "batteryLife", report.life(result, withBoard: false)?.inSeconds, decimals: 0)
    output.append(
      member: "batteryLifeWithBoard", report.life(result, withBoard: true)?.inSeconds, decimals: 0)
    output.append("}")
  }

  private static func write(_ samples: Distribution, to output: inout OutputBuffer) {
    output.append("{\"count\":")
    output.append(decimal: samples.count)
    output.append(member: "p50", samples.at(0.5), decimals: 2)
    output.append(member: "p68", samples.at(0.68), decimals: 2)
    output.append(member: "p95", samples.at(0.95), decimals: 2)
    output.append(member: "p99", samples.at(0.99), decimals: 2)
    output.append("}")
  }
}

import CMath
import GNSS
import ReceiverControl
import ReceiverSimulator

/// The drawings of a plan's page, as SVG.
enum PlanPlots {
  struct Plot {
    let title: String
    let note: String
    let drawing: String
  }

  static func all(of report: PlanReport) -> [Plot] {
    [power(report), shares(report), timeline(report), errors(report), distribution(report)]
  }

  static let width = 860.0
  static let left = 140.0
  static let right = 850.0
  private static let rowHeight = 24.0

  static let stateColors = ["#9fb0c0", "#dd8a2e", "#2f8a5b", "#3a7fc4"]
  private static let tierColors = [
    "#b5179e", "#7048c6", "#2f6fde", "#1c93a8", "#2f8a5b", "#c99700", "#d1495b",
  ]

  static func color(of tier: Tier) -> String {
    let index = Tier.allCases.sorted().firstIndex(of: tier) ?? 0
    return tierColors[index % tierColors.count]
  }

  private static func results(_ report: PlanReport) -> [(name: String, result: PlanResult)] {
    [("always on", report.always)] + report.rows.map { ("\($0.tier.name)", $0.result) }
  }

  // MARK: Bars

  private static func power(_ report: PlanReport) -> Plot {
    let results = results(report)
    let powers = results.map { max($0.result.power * 1000, 0.001) }
    let scale = LogScale(powers, from: left, to: right - 90)
    var svg = SVG(height: rowHeight * Double(results.count) + 30)
    let bottom = rowHeight * Double(results.count) + 4
    for tick in scale.decades {
      svg.line(scale.at(tick), 0, scale.at(tick), bottom)
      svg.text(scale.label(tick) + " mW", scale.at(tick), bottom + 16, "soft", anchor: "middle")
    }
    for (index, row) in results.enumerated() {
      let y = rowHeight * Double(index)
      let end = scale.at(powers[index])
      svg.text(row.name, left - 8, y + 16, anchor: "end")
      let fill = index == 0 ? "#808c98" : color(of: report.rows[index - 1].tier)
      svg.box(left, y + 3, max(end - left, 1), rowHeight - 7, fill)
      let share = index == 0 ? "" : ", " + PlanText.percent(report.share(row.result))
      svg.text(PlanText.fixed(powers[index], 2) + " mW" + share, end + 6, y + 16)
    }
    return Plot(
      title: "Average power of the receiver",
      note: "On a logarithmic scale, with the share of what an always-on receiver needs.",
      drawing: svg.finished)
  }

  private static func shares(_ report: PlanReport) -> Plot {
    let results = results(report)
    var svg = SVG(height: rowHeight * Double(results.count) + 26)
    for (index, row) in results.enumerated() {
      let y = rowHeight * Double(index)
      svg.text(row.name, left - 8, y + 16, anchor: "end")
      var x = left
      let total = max(row.result.energy, 1e-9)
      for state in PlanResult.State.allCases {
        let part = row.result.joules[state.rawValue] / total * (right - left)
        svg.box(x, y + 3, part, rowHeight - 7, stateColors[state.rawValue])
        x += part
      }
    }
    legend(&svg, at: rowHeight * Double(results.count) + 18)
    return Plot(
      title: "Where the energy goes", note: "Each bar is the whole energy of its row.",
      drawing: svg.finished)
  }

  private static func legend(_ svg: inout SVG, at y: Double) {
    var x = left
    for state in PlanResult.State.allCases {
      svg.box(x, y - 10, 12, 12, stateColors[state.rawValue])
      svg.text("\(state.name)", x + 17, y, "soft")
      x += 100
    }
  }

  // MARK: Over time

  private static func timeline(_ report: PlanReport) -> Plot {
    let height = 62 + rowHeight * Double(report.rows.count)
    var svg = SVG(height: height + 44)
    journeyStrip(report, &svg)
    let step = (right - left) / Double(Plan.timelineCount)
    for (index, row) in report.rows.enumerated() {
      let y = 62 + rowHeight * Double(index)
      svg.text("\(row.tier.name)", left - 8, y + 16, anchor: "end")
      for (part, interval) in row.result.timeline.enumerated() {
        var top = y + rowHeight - 4
        let total = max(interval.seconds.reduce(0, +), 1e-9)
        for state in PlanResult.State.allCases {
          let tall = interval.seconds[state.rawValue] / total * (rowHeight - 7)
          guard tall > 0.05 else { continue }
          top -= tall
          svg.box(left + step * Double(part), top, step + 0.2, tall, stateColors[state.rawValue])
        }
      }
    }
    hours(report, &svg, from: 62, to: height)
    legend(&svg, at: height + 38)
    return Plot(
      title: "What the receiver does",
      note:
        "Above: the journey's speed, and behind it the sky: open, trees, high houses, a window, "
        + "none. Below: the time in each state.",
      drawing: svg.finished)
  }

  private static func journeyStrip(_ report: PlanReport, _ svg: inout SVG) {
    let step = (right - left) / Double(Plan.timelineCount)
    var cursor = 0
    var speeds: [(x: Double, speed: Double)] = []
    for part in 0..<Plan.timelineCount {
      let share = (Double(part) + 0.5) / Double(Plan.timelineCount)
      let time = Duration.seconds(report.length.inSeconds * share)
      let point = report.journey.point(at: time, cursor: &cursor)
      let x = left + step * Double(part)
      svg.box(x, 0, step + 0.2, 50, skyColor(point.reception))
      speeds.append((x + step / 2, point.speed))
    }
    let top = max(speeds.map(\.speed).max() ?? 0, 1)
    svg.curve(speeds.map { ($0.x, 48 - $0.speed / top * 44) }, "#1b2733")
    svg.text("\(PlanText.fixed(top, 0)) m/s", left - 8, 14, "soft", anchor: "end")
    svg.text("0", left - 8, 50, "soft", anchor: "end")
  }

  private static func skyColor(_ reception: Reception) -> String {
    switch reception {
    case .open: "#bfe0f5"
    case .trees: "#b9dcb4"
    case .canyon: "#e2d3b0"
    case .window: "#dcd6e8"
    case .none: "#a9adb3"
    }
  }

  private static func hours(
    _ report: PlanReport, _ svg: inout SVG, from top: Double, to bottom: Double
  ) {
    let total = report.length.inSeconds
    let unit = total > 172_800 ? 86_400.0 : total > 14_400 ? 3600 * 3 : total > 1200 ? 1800 : 60
    let name = total > 172_800 ? "d" : total > 14_400 ? "h" : "min"
    let divisor = total > 172_800 ? 86_400.0 : total > 14_400 ? 3600 : 60
    let every = max(1, (total / unit / 14).rounded(.up))
    var time = 0.0
    while time <= total {
      let x = left + (right - left) * time / total
      svg.line(x, top, x, bottom)
      svg.text(
        "\(PlanText.fixed(time / divisor, 0)) \(name)", min(x, right - 8), bottom + 15, "soft",
        anchor: "middle")
      time += unit * every
    }
  }

  private static func errors(_ report: PlanReport) -> Plot {
    let values = report.rows.flatMap { $0.result.timeline.compactMap(\.error) }
    let scale = LogScale(values.map { max($0, 0.5) } + [1], from: 230, to: 8)
    var svg = SVG(height: 276)
    for tick in scale.decades {
      svg.line(left, scale.at(tick), right, scale.at(tick))
      svg.text(scale.label(tick) + " m", left - 8, scale.at(tick) + 4, "soft", anchor: "end")
    }
    hours(report, &svg, from: 8, to: 230)
    let step = (right - left) / Double(Plan.timelineCount)
    for row in report.rows {
      let points = row.result.timeline.enumerated().compactMap { part, interval in
        interval.error.map { (left + step * (Double(part) + 0.5), scale.at(max($0, 0.5))) }
      }
      svg.curve(points, color(of: row.tier))
    }
    tierLegend(report, &svg, at: 268)
    return Plot(
      title: "The largest error of each interval",
      note: "How far the last fix was from the truth when somebody asked.", drawing: svg.finished)
  }

  private static func tierLegend(_ report: PlanReport, _ svg: inout SVG, at y: Double) {
    var x = 10.0
    for row in report.rows {
      svg.box(x, y - 9, 12, 10, color(of: row.tier))
      svg.text("\(row.tier.name)", x + 16, y, "soft")
      x += 34 + 6.6 * Double("\(row.tier.name)".count)
    }
  }

  private static func distribution(_ report: PlanReport) -> Plot {
    let shares = (1...99).map { Double($0) / 100 }
    let values = report.rows.flatMap { row in shares.map { row.result.movingError.at($0) } }
    let scale = LogScale(values.map { max($0, 0.5) } + [1], from: left, to: right)
    var svg = SVG(height: 266)
    func height(_ share: Double) -> Double { 216 - share * 208 }
    for share in [0.0, 0.25, 0.5, 0.75, 0.95] {
      svg.line(left, height(share), right, height(share))
      svg.text(
        "\(PlanText.fixed(share * 100, 0)) %", left - 8, height(share) + 4, "soft", anchor: "end")
    }
    for tick in scale.decades {
      svg.line(scale.at(tick), 8, scale.at(tick), 216)
      svg.text(scale.label(tick) + " m", scale.at(tick), 232, "soft", anchor: "middle")
    }
    for row in report.rows where row.result.movingError.count > 0 {
      svg.curve(
        shares.map { (scale.at(max(row.result.movingError.at($0), 0.5)), height($0)) },
        color(of: row.tier))
    }
    tierLegend(report, &svg, at: 256)
    return Plot(
      title: "Errors while moving",
      note: "The share of random instants at which the error was no larger.",
      drawing: svg.finished)
  }
}

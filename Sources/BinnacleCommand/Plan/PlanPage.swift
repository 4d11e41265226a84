import Bytes
import GNSS
import ReceiverControl
import ReceiverSimulator

/// A plan as one page that needs nothing else: its tables and its plots.
enum PlanPage {
  static func write(_ report: PlanReport, to output: inout OutputBuffer) {
    output.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
    output.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    output.append("<title>Binnacle plan</title>\n<style>\n")
    output.append(style)
    output.append("</style></head><body>\n<h1>")
    output.append(text: escaped(report.profile.name))
    output.append("</h1>\n<p>")
    output.append(
      text: escaped(report.journeyName) + ", \(PlanText.span(report.length)), activity "
        + "\(report.activity.name), seed \(report.seed)")
    if !report.unverified.isEmpty {
      output.append("<br>Unverified figures: ")
      output.append(text: report.unverified.joined(separator: ", "))
    }
    output.append("</p>\n")
    for table in PlanText.tables(of: report) { write(table, to: &output) }
    for plot in PlanPlots.all(of: report) {
      output.append("<h2>")
      output.append(text: plot.title)
      output.append("</h2>\n<p>")
      output.append(text: plot.note)
      output.append("</p>\n")
      output.append(text: plot.drawing)
    }
    output.append("</body></html>\n")
  }

  private static func write(_ table: PlanText.Table, to output: inout OutputBuffer) {
    output.append("<h2>")
    output.append(text: table.title)
    output.append("</h2>\n<div class=\"wide\"><table>\n")
    for (index, row) in table.rows.enumerated() {
      output.append("<tr>")
      for cell in row {
        output.append(index == 0 ? "<th>" : "<td>")
        output.append(text: escaped(cell))
        output.append(index == 0 ? "</th>" : "</td>")
      }
      output.append("</tr>\n")
    }
    output.append("</table></div>\n")
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  private static let style: StaticString = """
    :root { color-scheme: light dark; --ink: #1b2733; --soft: #6b7a88; --paper: #ffffff;
      --line: #d5dce3; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e4eaf0; --soft: #93a1ae;
      --paper: #141a20; --line: #33404c; } }
    body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
      max-width: 900px; margin: 2em auto; padding: 0 1em; }
    h1 { font-size: 1.5em; margin-bottom: 0; } h2 { font-size: 1.1em; margin: 2em 0 .3em; }
    p { margin: .2em 0 .6em; color: var(--soft); }
    .wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
    th, td { text-align: right; padding: .25em .6em; border-bottom: 1px solid var(--line);
      white-space: nowrap; font-variant-numeric: tabular-nums; }
    th { color: var(--soft); font-weight: 600; }
    th:first-child, td:first-child { text-align: left; padding-left: 0; }
    svg { width: 100%; height: auto; display: block; }
    svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
    svg .soft { fill: var(--soft); } svg .grid { stroke: var(--line); stroke-width: 1; }
    svg .curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }

    """
}

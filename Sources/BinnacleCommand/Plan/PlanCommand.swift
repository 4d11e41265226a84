import Bytes
import GNSS
import LinuxIO
import ReceiverControl
import ReceiverSimulator

extension Subcommand {
  /// `binnacle plan`
  static let plan = Subcommand(
    name: "plan", summary: "Reckon what each accuracy tier costs in energy, before the journey",
    operands: "[TRACK]",
    details: """
      Carries a simulated receiver along TRACK, a GPX track, or along a built-in day (home, a
      walk, a drive with a tunnel, a meeting deep indoors, a ride, home by bus) and lets the
      daemon's own core find out what it is, configure it, send it to sleep and wake it, byte
      by byte over a UART, under a simulated clock. Prints for each tier the energy in each of
      the receiver's states, the average power, how long a battery lasts, and how wrong and how
      old the position was at random instants: in all, and while moving, as the last fix's error
      and the way since.

      The figures of a receiver come from its profile (Hardware/Receivers); those that
      nobody has measured are named. The same seed gives the same result. What the sky and
      the errors are like is a model: compare tiers and receivers by it, measure the rest.
      """,
    options: [
      Option(
        "receiver", "NAME", choices: ReceiverProfile.shippedIDs,
        help: "Whose figures to take; without it ublox-m10"),
      Option("profile", "FILE", help: "Figures of your own, in the form of Hardware/Receivers"),
      Option(
        "tier", "TIER", choices: Tier.allCases.map { "\($0.name)" }, isRepeatable: true,
        help: "Only this one; may be given more than once"),
      Option(
        "activity", "NAME", choices: Activity.allCases.map { "\($0.name)" },
        help: "How it moves; without it other"),
      Option(
        "battery", "WH", help: "What the battery holds, in watt-hours: prints how long it lasts"),
      Option("board-power", "W", help: "What everything but the receiver draws, in watts"),
      Option(
        "compare-fixed",
        help: "Beside each tier the cheapest schedule of fixed times that is as accurate"),
      Option("days", "N", help: "How long, in days; a shorter journey is repeated"),
      Option("seed", "N", help: "Of errors and search times; without it 1"),
      Option("ground-speed", "M/S", help: "Travel TRACK at this speed, whatever times it has"),
      Option(
        "format", "FORMAT", choices: PlanFormat.allCases.map(\.rawValue),
        help: "How to print; html is one page with plots; without it text"),
    ],
    examples: [
      ("binnacle plan --battery 10 --board-power 0.5", "All tiers on a small board's battery"),
      ("binnacle plan --receiver l76k --tier hundredMeters --compare-fixed", "Against fixed times"),
      ("binnacle plan walk.gpx --format html > plan.html", "A track of yours, with plots"),
    ],
    run: { invocation throws(CommandError) in
      let format = invocation.value("format").flatMap { PlanFormat(rawValue: $0) } ?? .text
      let report = try PlanReport(invocation)
      var output = OutputBuffer()
      format.write(report, to: &output)
      do throws(Errno) {
        try StandardOutput.write(output)
      } catch {
        throw .failed("standard output: \(error.text)")
      }
      return .ok
    })
}

/// How `plan` prints.
enum PlanFormat: String, CaseIterable {
  case text, json, html

  func write(_ report: PlanReport, to output: inout OutputBuffer) {
    switch self {
    case .text: for line in PlanText.lines(of: report) { output.append(text: line + "\n") }
    case .json: PlanJSON.write(report, to: &output)
    case .html: PlanPage.write(report, to: &output)
    }
  }
}

import GNSS

/// Lays the live view out on a page of any size: what was found out on the left, the sky on the
/// right, signals below, and the receiver's power states of the last minutes at the foot.
package struct WatchScreen {
  private let state: WatchState
  private var canvas: Canvas

  /// Columns of the values; the sky gets the rest.
  private static let valuesColumnCount = 42
  private static let nameColumnCount = 12
  private static let barsRowCount = 6

  /// Draws the page.
  package static func page(
    _ state: WatchState, columnCount: Int, rowCount: Int, style: TerminalStyle
  ) -> Canvas {
    var screen = WatchScreen(
      state: state,
      canvas: Canvas(columnCount: columnCount, rowCount: rowCount, style: style))
    screen.draw()
    return screen.canvas
  }

  private mutating func draw() {
    drawTitle()
    if state.showsHelp { return drawHelp() }
    let height = canvas.rowCount
    let width = canvas.columnCount
    let footRows = state.timeline.isEmpty ? 1 : 2
    let barsRows = height >= 20 ? Self.barsRowCount + max(0, (height - 26) / 3) : 0
    let upperRows = height - 1 - footRows - barsRows
    drawValues(rowCount: upperRows)
    let skyColumn = Self.valuesColumnCount
    SkyPlot(satellites: state.satellites).draw(
      on: &canvas, row: 1, column: skyColumn, rowCount: upperRows, columnCount: width - skyColumn)
    SignalBars(satellites: state.satellites).draw(
      on: &canvas, row: 1 + upperRows, column: 1, rowCount: barsRows, columnCount: width - 2)
    if footRows == 2 { drawTimeline(row: height - 2) }
    drawFoot(row: height - 1)
  }

  private mutating func drawTitle() {
    let blank = String(repeating: " ", count: canvas.columnCount)
    canvas.put(blank, row: 0, column: 0, isReversed: true)
    canvas.put(" binnacle \(state.version)", row: 0, column: 0, isBold: true, isReversed: true)
    guard let now = state.now else { return }
    let text = Words.time(now) + " UTC "
    canvas.put(text, row: 0, column: canvas.columnCount - text.count, isReversed: true)
  }

  private mutating func drawHelp() {
    let lines = [
      "q  leave        ?  this page, and back", "",
      "Bold satellites are used for the fix. Signals are drawn from \(SignalBars.lowest) to "
        + "\(SignalBars.highest) dB-Hz;",
      "outdoors the best ones reach 40 and more, indoors 20 to 30.",
      "The accuracy is a radius that the true position lies in at 68 %.", "",
    ]
    for (index, line) in lines.enumerated() { canvas.put(line, row: 2 + index, column: 2) }
    for (index, constellation) in Constellation.allCases.enumerated() {
      let text = "\(constellation.letter)  \(constellation.label)  \(constellation.name)"
      canvas.put(
        text, row: 2 + lines.count + index, column: 2, colour: constellation.colour)
    }
  }

  // MARK: Values

  private mutating func drawValues(rowCount: Int) {
    var rows = [(name: String, value: String, colour: Colour)]()
    if let problem = state.problem { rows.append(("", problem, .red)) }
    rows += fixRows() + satelliteRows() + receiverRows() + logRows()
    for (index, row) in rows.prefix(max(rowCount, 0)).enumerated() {
      canvas.put(row.name, row: 1 + index, column: 1, colour: .grey)
      let column = row.name.isEmpty ? 1 : Self.nameColumnCount
      let isLong = row.name.isEmpty || canvas.columnCount <= Self.valuesColumnCount
      let room = (isLong ? canvas.columnCount : Self.valuesColumnCount - 1) - column
      canvas.put(
        String(row.value.prefix(max(room, 0))), row: 1 + index, column: column, colour: row.colour)
    }
  }

  private typealias Row = (name: String, value: String, colour: Colour)

  private func fixRows() -> [Row] {
    guard let fix = state.fix else { return [("fix", "waiting for the receiver", .yellow)] }
    let style = canvas.style
    var rows: [Row] = [("fix", Words.mode(of: fix), fix.hasPosition ? .green : .yellow)]
    if fix.hasPosition, let position = fix.position {
      rows.append(("latitude", Words.latitude(position.latitude, style), .standard))
      rows.append(("longitude", Words.longitude(position.longitude, style), .standard))
    } else if let last = state.lastPosition {
      rows.append(("was at", Words.latitude(last.latitude, style), .grey))
      rows.append(("", "         " + Words.longitude(last.longitude, style), .grey))
    }
    if let altitude = fix.altitudeMSL {
      rows.append(("altitude", Words.number(altitude, decimals: 1) + " m above sea", .standard))
    } else if let altitude = fix.altitudeEllipsoid {
      rows.append(("height", Words.number(altitude, decimals: 1) + " m ellipsoidal", .standard))
    }
    if let accuracy = fix.horizontalAccuracy {
      let vertical = fix.verticalAccuracy.map {
        ", height " + Words.plusMinus(style) + Words.number($0, decimals: 1) + " m"
      }
      let text = Words.plusMinus(style) + Words.number(accuracy, decimals: 1) + " m"
      rows.append(("accuracy", text + (vertical ?? ""), accuracy > 100 ? .yellow : .standard))
    }
    if let speed = fix.speed {
      let course = fix.course.map {
        ", " + Words.number($0, decimals: 0) + Words.degree(style) + Words.point(course: $0)
      }
      let kilometres = Words.number(speed * 3.6, decimals: 1)
      rows.append(
        ("speed", Words.number(speed, decimals: 1) + " m/s (\(kilometres) km/h)", .standard))
      if let course { rows.append(("course", String(course.dropFirst(2)), .standard)) }
    }
    return rows + [timeRow(of: fix)].compactMap { $0 }
  }

  private func timeRow(of fix: Fix) -> Row? {
    guard let time = fix.time else { return nil }
    let rate = state.epochRate.map { "  " + Words.number($0, decimals: 1) + " Hz" } ?? ""
    let isDated = fix.dateSource != .none && fix.dateSource != .hostClock
    return ("time", Words.time(time) + rate, isDated ? .standard : .yellow)
  }

  private func satelliteRows() -> [Row] {
    guard !state.satellites.isEmpty || state.fix?.satellitesUsed != nil else { return [] }
    let used = state.satellites.count { $0.isUsed }
    let dilution = state.fix?.dop.horizontal.map { ", HDOP " + Words.number($0, decimals: 1) }
    let usedCount = used > 0 ? used : state.fix?.satellitesUsed ?? 0
    let seen = state.satellites.isEmpty ? "" : " of \(state.satellites.count)"
    return [("satellites", "\(usedCount)\(seen) used" + (dilution ?? ""), .standard)]
  }

  private func receiverRows() -> [Row] {
    var rows: [Row] = []
    if let receiver = state.receiver {
      rows.append(("receiver", receiver.model ?? receiver.name, .standard))
      let port = [receiver.node, receiver.baud.map { "\($0) baud" }].compactMap { $0 }
      if !port.isEmpty { rows.append(("port", port.joined(separator: ", "), .standard)) }
      var power = receiver.power.name
      if let wake = receiver.wakesAt, let now = state.now, receiver.power == .asleep {
        power += ", wakes in " + Words.span(seconds: Int((wake - now).components.seconds))
      } else if let reason = receiver.powerReason {
        power += ", " + reason
      }
      rows.append(("power", power, receiver.power.colour))
    }
    if let tier = state.tier {
      let clients = state.clientCount.map { ", \($0) session\($0 == 1 ? "" : "s")" } ?? ""
      rows.append(("wanted", "\(tier.name)" + clients, .standard))
    }
    return rows
  }

  private func logRows() -> [Row] {
    guard let log = state.log else { return [] }
    if let problem = log.problem { return [("log", problem, .red)] }
    let records = log.recordCount.map { "\($0) records" }
    let filled = log.filled.map { Words.number($0 * 100, decimals: 0) + " % full" }
    let text = [records, filled].compactMap { $0 }.joined(separator: ", ")
    return [("log", text.isEmpty ? log.path : text, .standard)]
  }

  // MARK: The foot

  private mutating func drawTimeline(row: Int) {
    let room = canvas.columnCount - 2
    let shown = state.timeline.suffix(max(room, 0))
    let block = canvas.style.hasUnicode ? "▬" : "="
    for (index, power) in shown.enumerated() {
      let mark =
        switch power {
        case .unknown, .off: canvas.style.hasUnicode ? "·" : "."
        case .asleep: canvas.style.hasUnicode ? "▁" : "_"
        case .acquiring: canvas.style.hasUnicode ? "▒" : "~"
        case .tracking: block
        }
      canvas.put(
        mark, row: row, column: 1 + room - shown.count + index, colour: power.colour)
    }
  }

  private mutating func drawFoot(row: Int) {
    let keys = "q leave  ? help"
    canvas.put(keys, row: row, column: 1, colour: .grey)
    guard !state.timeline.isEmpty else { return }
    let seconds = min(state.timeline.count, canvas.columnCount - 2) * state.timelineStep
    let text = "power over the last " + Words.span(seconds: seconds)
    canvas.put(text, row: row, column: canvas.columnCount - 1 - text.count, colour: .grey)
  }
}

import GNSS

/// How strong the satellites' signals are: a bar each, by constellation, from 10 to 50 dB-Hz.
struct SignalBars {
  let satellites: [Satellite]

  /// dB-Hz: a bar of no height, and one of full height.
  static let lowest = 10
  static let highest = 50
  private static let columnsPerBar = 3
  private static let blocks = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Draws the bars over two rows of names; at least three rows.
  func draw(on canvas: inout Canvas, row: Int, column: Int, rowCount: Int, columnCount: Int) {
    let barRows = rowCount - 2
    guard barRows >= 1, columnCount >= Self.columnsPerBar else { return }
    let shown = strongestSignals()
    let places = columnCount / Self.columnsPerBar
    // Where not all have room, the last place tells how many more there are.
    let count = shown.count <= places ? shown.count : max(places - 1, 0)
    var constellation: Constellation?
    for (index, satellite) in shown.prefix(count).enumerated() {
      let left = column + index * Self.columnsPerBar
      draw(satellite, row: row, column: left, rowCount: barRows, on: &canvas)
      if satellite.constellation != constellation {
        constellation = satellite.constellation
        canvas.put(
          satellite.constellation.label, row: row + rowCount - 1, column: left,
          colour: satellite.constellation.colour)
      }
    }
    if count < shown.count {
      let left = column + count * Self.columnsPerBar
      canvas.put("+\(shown.count - count)", row: row + rowCount - 2, column: left, colour: .grey)
    }
  }

  private func draw(
    _ satellite: Satellite, row: Int, column: Int, rowCount: Int, on canvas: inout Canvas
  ) {
    let colour = satellite.isUsed ? satellite.constellation.colour : Colour.grey
    let steps = canvas.style.hasUnicode ? 8 : 1
    let strength = min(max(Int(satellite.cn0 ?? 0), Self.lowest), Self.highest) - Self.lowest
    let height = strength * rowCount * steps / (Self.highest - Self.lowest)
    for level in 0..<rowCount {
      let part = min(max(height - level * steps, 0), steps)
      guard part > 0 else { break }
      let block = canvas.style.hasUnicode ? Self.blocks[part] : "#"
      canvas.put(
        block + block, row: row + rowCount - 1 - level, column: column, colour: colour)
    }
    let number = satellite.svid < 10 ? "0\(satellite.svid)" : "\(satellite.svid % 100)"
    canvas.put(
      number, row: row + rowCount, column: column, colour: colour, isBold: satellite.isUsed)
  }

  /// One entry a satellite, whatever number of signals it is heard with; those that are not heard
  /// are left out.
  private func strongestSignals() -> [Satellite] {
    var best: [Satellite] = []
    for satellite in satellites where (satellite.cn0 ?? 0) > 0 {
      let known = best.firstIndex {
        $0.constellation == satellite.constellation && $0.svid == satellite.svid
      }
      guard let known else {
        best.append(satellite)
        continue
      }
      let isUsed = best[known].isUsed || satellite.isUsed
      if (satellite.cn0 ?? 0) > (best[known].cn0 ?? 0) { best[known] = satellite }
      best[known].isUsed = isUsed
    }
    return best.sorted {
      ($0.constellation.rawValue, $0.svid) < ($1.constellation.rawValue, $1.svid)
    }
  }
}

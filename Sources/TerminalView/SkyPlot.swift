import CMath
import GNSS

/// Where the satellites stand: north up, the zenith in the middle, the horizon as the outer ring.
/// Used satellites are bold.
struct SkyPlot {
  let satellites: [Satellite]

  /// Draws into a rectangle of cells; a cell is taken to be twice as high as wide.
  func draw(on canvas: inout Canvas, row: Int, column: Int, rowCount: Int, columnCount: Int) {
    let radius = min(Double(rowCount - 1) / 2, Double(columnCount - 4) / 4)
    guard radius >= 2 else { return }
    let middle = Place(
      row: Double(row) + Double(rowCount - 1) / 2,
      column: Double(column) + Double(columnCount - 1) / 2)
    let dot = canvas.style.hasUnicode ? "·" : "."
    for elevation in [0.0, 45.0] {
      for azimuth in stride(from: 0.0, to: 360, by: 3) {
        let place = middle.toward(azimuth: azimuth, elevation: elevation, radius: radius)
        canvas.put(dot, row: place.cellRow, column: place.cellColumn, colour: .grey)
      }
    }
    canvas.put("+", row: middle.cellRow, column: middle.cellColumn, colour: .grey)
    for (name, azimuth) in [("N", 0.0), ("E", 90.0), ("S", 180.0), ("W", 270.0)] {
      let place = middle.toward(azimuth: azimuth, elevation: 0, radius: radius)
      canvas.put(name, row: place.cellRow, column: place.cellColumn, isBold: true)
    }
    // The used ones last, so that they lie over the others.
    for isUsed in [false, true] {
      for satellite in satellites where satellite.isUsed == isUsed {
        draw(satellite, around: middle, radius: radius, on: &canvas)
      }
    }
  }

  private func draw(
    _ satellite: Satellite, around middle: Place, radius: Double, on canvas: inout Canvas
  ) {
    guard let elevation = satellite.elevation, let azimuth = satellite.azimuth, elevation >= 0
    else { return }
    let place = middle.toward(
      azimuth: Double(azimuth), elevation: Double(min(elevation, 90)), radius: radius)
    let number = satellite.svid < 10 ? "0\(satellite.svid)" : "\(satellite.svid)"
    canvas.put(
      satellite.constellation.letter + number, row: place.cellRow, column: place.cellColumn - 1,
      colour: satellite.isUsed ? satellite.constellation.colour : .grey, isBold: satellite.isUsed)
  }

  /// A point of the page, between the cells' middles.
  private struct Place {
    var row: Double
    var column: Double
    var cellRow: Int { Int(row.rounded()) }
    var cellColumn: Int { Int(column.rounded()) }

    /// Degrees; `radius` is the horizon's, in rows.
    func toward(azimuth: Double, elevation: Double, radius: Double) -> Place {
      let distance = radius * (90 - elevation) / 90
      let angle = azimuth * .pi / 180
      return Place(
        row: row - distance * math_cos(angle), column: column + 2 * distance * math_sin(angle))
    }
  }
}

import CoreLocation
import Foundation

/// `GeofenceWatch LATITUDE LONGITUDE RADIUS [EVENTS]`: tells when the board enters or leaves a
/// circle. The daemon remembers it: the next run goes on with what this one knew.
@main enum Main {
  static func main() async throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Double($0) }
    guard numbers.count >= 3 else {
      say("usage: GeofenceWatch LATITUDE LONGITUDE RADIUS [EVENTS]")
      exit(2)
    }
    let center = CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1])
    let eventCount = numbers.count > 3 ? Int(numbers[3]) : .max

    let monitor = await CLMonitor("GeofenceWatch")
    for identifier in await monitor.identifiers {
      guard let record = await monitor.record(for: identifier) else { continue }
      say("known: \(identifier) was \(record.lastEvent.state)")
    }
    let condition = CLMonitor.CircularGeographicCondition(center: center, radius: numbers[2])
    await monitor.add(condition, identifier: "circle")

    var seen = 0
    for try await event in await monitor.events {
      switch event.state {
      case .satisfied: say("inside \(event.identifier)")
      case .unsatisfied: say("outside \(event.identifier)")
      case .unknown: say("lost sight of \(event.identifier)")
      case .unmonitored: say("cannot watch \(event.identifier)")
      }
      seen += 1
      if seen >= eventCount { break }
    }
  }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

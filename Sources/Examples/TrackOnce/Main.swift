import CoreLocation
import Foundation

/// `TrackOnce [COUNT]`: prints one location, or COUNT of them as they come.
@main @MainActor enum Main {
  static func main() {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
    let service = LocationService()
    var received = 0
    service.onLocation = { location in
      received += 1
      let place = location.coordinate
      say("location \(place.latitude) \(place.longitude) +/- \(location.horizontalAccuracy)")
      guard received == count else { return }
      service.stop()
      Task {
        if let town = await service.name(of: location) { say("near \(town)") }
        exit(0)
      }
    }
    service.onFailure = { reason in
      say("failed: \(reason)")
      exit(1)
    }
    if count == 1 { service.requestOnce() } else { service.start() }
    RunLoop.main.run()
  }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

import CoreLocation
import Foundation

/// `WalkAlong`: follows the board until it stands still.
@main enum Main {
  static func main() async throws {
    let session = CLServiceSession(authorization: .whenInUse)
    Task {
      for try await diagnostic in session.diagnostics {
        if diagnostic.authorizationDenied { say("not allowed: see 'binnacle grant'") }
        if diagnostic.authorizationDeniedGlobally { say("location is switched off") }
      }
    }
    var last: CLLocation?
    var walked = 0.0
    for try await update in CLLocationUpdate.liveUpdates(.fitness) {
      if update.authorizationDenied || update.authorizationDeniedGlobally { break }
      if update.locationUnavailable { say("no location for now") }
      guard let location = update.location else { continue }
      if let last { walked += location.distance(from: last) }
      last = location
      say("walked \(Int(walked)) m")
      if update.stationary { break }
    }
    say("arrived after \(Int(walked)) m")
    session.invalidate()
  }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

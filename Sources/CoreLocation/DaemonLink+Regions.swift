import Bytes
import ControlProtocol
import Foundation
import GNSS
import LocationServices

/// What the daemon keeps of a region between the runs of a program.
struct KeptRegion: Sendable {
  var identifier: String
  var state: RegionState
  /// When it last changed.
  var changed: UTCTime?
  /// As the daemon sent it.
  var value: JSONValue

  init?(_ value: JSONValue) {
    guard let identifier = value["identifier"]?.string else { return nil }
    self.identifier = identifier
    state = value["state"]?.string.flatMap { RegionState(named: $0) } ?? .unknown
    changed = value.time("changed")
    self.value = value
  }
}

extension DaemonLink {
  /// All regions of a monitor that is open, page by page; none where the daemon does not tell.
  func regions(
    of monitor: String, after: String = "", before: [KeptRegion] = [],
    _ completion: @escaping @Sendable ([KeptRegion]) -> Void
  ) {
    request(.regions(monitor: monitor, after: after)) { [self] result in
      guard let answer = try? result.get() else { return completion(before) }
      let page = (answer["regions"]?.array ?? []).compactMap { KeptRegion($0) }
      let all = before + page
      guard answer["more"]?.bool == true, let last = page.last else { return completion(all) }
      regions(of: monitor, after: last.identifier, before: all, completion)
    }
  }
}

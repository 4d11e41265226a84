import Bytes
import Foundation
import GNSS
import Gazetteer
import LinuxIO

/// The index of places, opened at the first request, and again after it was missing.
final class PlaceStore: @unchecked Sendable {
  static let shared = PlaceStore()

  /// An index whose bytes were checked.
  struct Opened: Sendable {
    let file: MappedFile
    let index: PlaceIndex

    func nearest(to position: Coordinate) -> PopulatedPlace? {
      file.withByteView { index.nearest(to: position, in: $0)?.place }
    }

    func places(at address: String, _ country: String?, limit: Int) -> [PopulatedPlace] {
      file.withByteView { view in
        index.places(atAddress: address, country: country, limit: limit, in: view)
      }
    }
  }

  private let lock = NSLock()
  private var current: Opened?
  private var isFailureLogged = false

  /// In the environment, else where `places import` puts it.
  private static let path =
    ProcessInfo.processInfo.environment["BINNACLE_PLACES"] ?? "/var/lib/binnacle/places.index"

  func opened() -> Opened? {
    lock.withLock {
      if current == nil { current = open() }
      return current
    }
  }

  private func open() -> Opened? {
    do {
      let file = try MappedFile(path: Self.path)
      return Opened(file: file, index: try file.withByteView { try PlaceIndex($0) })
    } catch {
      let reason =
        (error as? GazetteerError)?.message(path: Self.path)
        ?? "\(Self.path): \((error as? Errno)?.text ?? "unreadable")"
      if !isFailureLogged {
        StandardError.line("CoreLocation: \(reason); see 'binnacle places import'")
      }
      isFailureLogged = true
      return nil
    }
  }
}

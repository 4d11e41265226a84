import Bytes
import GNSS
import Gazetteer
import LinuxIO

/// The index of places that is looked up in.
struct PlaceFile {
  /// Where `places import` puts it.
  static let defaultPath = "/var/lib/binnacle/places.index"

  private let file: MappedFile
  private let index: PlaceIndex

  init(path: String) throws(CommandError) {
    do throws(Errno) {
      file = try MappedFile(path: path)
    } catch .noSuchFile {
      throw .failed(
        "\(path): no such file; make it of a GeoNames dump with 'binnacle places import'")
    } catch {
      throw .failed("\(path): cannot read: \(error.text)")
    }
    let opened = file.withByteView { view -> Result<PlaceIndex, GazetteerError> in
      do throws(GazetteerError) { return .success(try PlaceIndex(view)) } catch {
        return .failure(error)
      }
    }
    do throws(GazetteerError) {
      index = try opened.get()
    } catch {
      throw .failed(error.message(path: path))
    }
  }

  func nearest(to position: Coordinate) -> NearestPlace? {
    file.withByteView { index.nearest(to: position, in: $0) }
  }

  /// By a name, or by an address with commas.
  func places(at address: String, country: String?, limit: Int) -> [PopulatedPlace] {
    file.withByteView { view in
      index.places(atAddress: address, country: country, limit: limit, in: view)
    }
  }
}

import Bytes
import Gazetteer
import LinuxIO

extension Subcommand {
  static let places = Subcommand(
    name: "places", summary: "Import place names for 'geocode' and 'log-dump --places'",
    operands: "import FILE|-",
    details: """
      Makes an index of a GeoNames dump: a text file with 19 columns, such as
      cities1000.txt (every place of a thousand inhabitants) of download.geonames.org
      in export/dump, whose data is under the licence CC BY 4.0. Names in other languages
      and scripts become part of it. The new index takes the old one's place when it is
      complete. Places are then looked up without any network.
      """,
    options: [
      Option(
        "output", "FILE", help: "Where to put the index; without it \(PlaceFile.defaultPath)")
    ],
    examples: [
      ("binnacle places import cities1000.txt", "Import a dump that was unpacked"),
      ("unzip -p cities500.zip | binnacle places import -", "Import one as it unpacks"),
    ],
    run: { invocation throws(CommandError) in
      guard invocation.operands.first == "import" else {
        throw .usage("places: write 'binnacle places import FILE'")
      }
      guard invocation.operands.count == 2 else {
        throw .usage("places import: needs one file, such as cities1000.txt, or -")
      }
      let output = invocation.value("output") ?? PlaceFile.defaultPath
      var places = try PlaceImport(path: invocation.operands[1])
      try places.write(to: output)
      return .ok
    })
}

/// `binnacle places import`
private struct PlaceImport {
  private let path: String
  private var builder = PlaceIndexBuilder()

  /// What is read at once.
  private static let readByteCount = 65_536
  /// Bytes of a line; GeoNames' longest column has 10,000 characters.
  private static let lineByteCountMax = 65_536

  init(path: String) throws(CommandError) {
    self.path = path
    let file: InputFile
    do throws(Errno) { file = try InputFile(path: path) } catch { throw unreadable(error) }
    var progress = Progress(name: path, byteCount: file.byteCount)
    defer { progress.finish() }
    var buffer = [UInt8](repeating: 0, count: Self.readByteCount)
    var partial: [UInt8] = []
    while true {
      let count: Int
      do throws(Errno) { count = try file.read(into: &buffer) } catch { throw unreadable(error) }
      guard count > 0 else { break }
      progress.advance(by: count)
      var start = 0
      while let end = buffer[start..<count].firstIndex(of: 0x0a) {
        partial += buffer[start..<end]
        try add(partial)
        partial.removeAll(keepingCapacity: true)
        start = end + 1
      }
      partial += buffer[start..<count]
      // A line so long is none of a dump: as much of it as there is says so.
      if partial.count > Self.lineByteCountMax { try add(partial) }
    }
    if !partial.isEmpty { try add(partial) }
  }

  private func unreadable(_ error: Errno) -> CommandError {
    .failed("\(path): cannot read: \(error.text)")
  }

  private mutating func add(_ line: [UInt8]) throws(CommandError) {
    let failure = line.withByteView { view -> GazetteerError? in
      guard view.count <= Self.lineByteCountMax else { return builder.badLine }
      do throws(GazetteerError) { try builder.add(view) } catch { return error }
      return nil
    }
    if let failure { throw .failed(failure.message(path: path)) }
  }

  /// Puts the index in the place of the old one.
  mutating func write(to output: String) throws(CommandError) {
    let index: OutputBuffer
    do throws(GazetteerError) { index = try builder.index() } catch {
      throw .failed(error.message(path: path))
    }
    do throws(Errno) {
      let file = try OutputFile(path: output)
      try file.write(index)
      try file.finish()
    } catch .accessDenied {
      throw .failed("\(output): access denied; run it with sudo, or give --output FILE")
    } catch {
      throw .failed("\(output): cannot write: \(error.text)")
    }
    StandardError.line("\(output): \(builder.placeCount) places, \(index.count / 1024) KiB")
  }
}

import BinnacleDaemon
import FixLog
import GNSS
import LinuxIO

/// The parts of `log-check` that write.
enum LogRepair {
  static func open(
    _ path: String, for access: RingFile.Access
  ) throws(CommandError) -> RingFile {
    do throws(RingFileError) {
      return try RingFile(opening: path, for: access)
    } catch .cannotOpen(_, .noSuchFile) {
      throw .failed("\(path): no log; 'binnacle run' makes it, --log FILE names another one")
    } catch {
      throw .failed(error.message)
    }
  }

  /// Restores superblocks, and the length that they tell of; tells what it did.
  static func repair(_ path: String) throws(CommandError) {
    let ring = try open(path, for: .writing)
    do throws(LogError) {
      let orders = try RingRepair.orders(for: ring)
      for order in orders {
        if case .failure(let error) = order.execute(on: ring) { throw LogError.storage(error) }
      }
      let before = ring.byteCount
      let byteCount = try Superblock(readingFrom: ring).geometry.byteCount
      do throws(Errno) {
        try ring.extend(to: byteCount)
      } catch {
        throw LogError.storage(StorageError(error))
      }
      tell(path, "copies of the superblock written: \(orders.count)")
      if before < byteCount { tell(path, "made \(byteCount) bytes long again; it had \(before)") }
    } catch {
      throw .failed(error.message(path: path))
    }
  }

  private static func tell(_ path: String, _ what: String) {
    StandardError.line("binnacle: \(path): \(what)")
  }

  /// Copies the log into a ring of another size, beside the old one, and puts it in its place.
  static func resize(_ path: String, to text: String) throws(CommandError) {
    guard let byteCount = Configuration.byteCount(text) else {
      throw .usage("--resize \(text): not a size such as 128 MiB")
    }
    // Held until the new file is in place: no daemon can begin to write to the old one.
    let ring = try open(path, for: .writing)
    do throws(LogFilesError) {
      var copy: RingCopy
      let geometry: RingGeometry
      do throws(LogError) {
        let old = try Superblock(readingFrom: ring).geometry
        guard let new = RingGeometry(byteCount: byteCount, blockShift: old.blockShift) else {
          throw LogError.tooSmall(byteCountMin: RingGeometry.byteCountMin)
        }
        geometry = new
        copy = try RingCopy(from: ring, mirror: mirror(of: path), like: superblock(new))
      } catch {
        throw LogFilesError.log(path: path, error)
      }
      try write(&copy, geometry, path)
    } catch {
      throw .failed(error.message)
    }
  }

  static func mirror(of path: String) -> RingFile? {
    MirrorPath.existing(ring: path).flatMap { try? RingFile(opening: $0, for: .reading) }
  }

  private static func superblock(_ geometry: RingGeometry) -> Superblock {
    Superblock(
      geometry: geometry, ringID: .random(), created: Clocks.utc(),
      creator: "binnacle \(Build.version)")
  }

  private static func write(
    _ copy: inout RingCopy, _ geometry: RingGeometry, _ path: String
  ) throws(LogFilesError) {
    let file: RingFile
    do throws(RingFileError) {
      file = try RingFile(creating: path, byteCount: geometry.byteCount)
    } catch {
      throw .file(error)
    }
    do throws(StorageError) {
      for order in RingFormatter.zeros(0..<geometry.byteCount) { try order.write(to: file) }
      while let order = copy.next() { try order.write(to: file) }
      try file.sync()
      for order in copy.superblockOrders() { try order.write(to: file) }
    } catch {
      file.discard()
      throw .log(path: path, .storage(error))
    }
    do throws(RingFileError) { try file.replace() } catch { throw .file(error) }
  }
}

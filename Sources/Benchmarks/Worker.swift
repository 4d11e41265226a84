import Bytes
import GNSSWire
import GPSDProtocol
import LinuxIO

/// This program as its own child, to be run under a tool that counts: `worker decode|json FILE N`
/// takes in the first N bytes of a file and ends.
enum Worker {
  static let name = "worker"

  static func run(_ arguments: [String]) throws(BenchError) {
    guard arguments.count == 3, let limit = Int(arguments[2]) else {
      throw BenchError("worker: not for people", isUsage: true)
    }
    let isWriting = arguments[0] == "json"
    do throws(Errno) {
      try read(arguments[1], limit: limit, isWriting: isWriting)
    } catch {
      throw BenchError("\(arguments[1]): \(error.text)")
    }
  }

  private static func read(_ path: String, limit: Int, isWriting: Bool) throws(Errno) {
    let file = try InputFile(path: path)
    var chunk = [UInt8](repeating: 0, count: 4096)
    var output = OutputBuffer(capacity: 1 << 16)
    var decoder = StreamDecoder(dates: DateSettings())
    decoder.closing = .recorded
    var left = limit
    while left > 0 {
      let count = min(try file.read(into: &chunk), left)
      guard count > 0 else { break }
      left -= count
      chunk.withByteView { view in
        decoder.decode(view.extracting(0..<count), at: .zero) { report in
          guard isWriting, case .epoch(let epoch) = report else { return }
          TPVReport.append(epoch.pointee.fix, device: path, to: &output)
          SKYReport.append(
            epoch.pointee, device: path, withSatellites: true, to: &output)
        }
      }
      output.removeAll()
    }
  }
}

import LinuxIO

/// Takes what clients of a tested server are told apart into lines.
struct ClientLines {
  /// What a client has read beyond the lines it was asked for, by descriptor.
  private var partial: [CInt: [UInt8]] = [:]

  /// The next `count` lines that the client gets.
  /// - Parameter turn: Serves until what it is given says that it is done.
  mutating func next(
    _ count: Int, of client: StreamSocket, turn: (() throws -> Bool) throws -> Void
  ) throws -> [String] {
    var bytes = partial[client.descriptor] ?? []
    var chunk = [UInt8](repeating: 0, count: 65536)
    try turn {
      if let count = try chunk.withUnsafeMutableBytes({ try client.read(into: $0) }) {
        bytes += chunk.prefix(count)
      }
      return bytes.count { $0 == 0x0a } >= count
    }
    let lines = bytes.split(separator: 0x0a).prefix(count)
    partial[client.descriptor] = Array(bytes.dropFirst(lines.reduce(0) { $0 + $1.count + 1 }))
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}

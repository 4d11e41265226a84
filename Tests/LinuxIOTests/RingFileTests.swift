import Bytes
import Glibc
import Testing

@testable import LinuxIO

@Suite("Ring file") struct RingFileTests {
  /// A directory of its own, removed afterwards.
  private final class Scratch {
    let path: String
    init() {
      var template = Array("/tmp/binnacle-ring-XXXXXX".utf8CString)
      path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }
    deinit {
      for name in ["ring", "ring.new", "other"] { unlink("\(path)/\(name)") }
      rmdir(path)
    }
    var ring: String { path + "/ring" }
  }

  private func bytes(of file: RingFile, at offset: Int, count: Int) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0xee, count: count)
    let read = try buffer.withUnsafeMutableBytes { try file.readBytes(at: offset, into: $0) }
    return Array(buffer.prefix(read))
  }

  @Test("has its name only when published, then with mode 0640")
  func create() throws {
    let scratch = Scratch()
    let file = try RingFile(creating: scratch.ring, byteCount: 10_000)
    #expect(!fileExists(scratch.ring))
    try [1, 2, 3].withByteView { try file.writeBytes(at: 4096, $0) }
    try file.syncData()
    try file.publish()
    #expect(file.byteCount == 10_000)
    #expect(file.isInPlace)
    #expect(try bytes(of: file, at: 4095, count: 5) == [0, 1, 2, 3, 0])
    #expect(try bytes(of: file, at: 9998, count: 5) == [0, 0])
    var status = stat()
    stat(scratch.ring, &status)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test("never takes the name of a file that is there")
  func noReplace() throws {
    let scratch = Scratch()
    let file = try RingFile(creating: scratch.ring, byteCount: 100)
    let other = open(scratch.ring, O_WRONLY | O_CREAT, 0o600)
    write(other, "precious", 8)
    close(other)
    #expect(throws: RingFileError.cannotCreate(path: scratch.ring, .exists)) { try file.publish() }
    let kept = try RingFile(opening: scratch.ring, for: .reading)
    #expect(try bytes(of: kept, at: 0, count: 20) == Array("precious".utf8))
  }

  @Test("one writer, any number of readers")
  func lock() throws {
    let scratch = Scratch()
    try RingFile(creating: scratch.ring, byteCount: 100).publish()
    do {
      let writer = try RingFile(opening: scratch.ring, for: .writing)
      #expect(throws: RingFileError.inUse(path: scratch.ring)) {
        try RingFile(opening: scratch.ring, for: .writing)
      }
      let reader = try RingFile(opening: scratch.ring, for: .reading)
      #expect(reader.byteCount == writer.byteCount)
    }
    _ = try RingFile(opening: scratch.ring, for: .writing)
  }

  @Test("notices that it was removed, replaced or cut")
  func inPlace() throws {
    let scratch = Scratch()
    try RingFile(creating: scratch.ring, byteCount: 100).publish()
    let file = try RingFile(opening: scratch.ring, for: .writing)
    truncate(scratch.ring, 50)
    #expect(file.isInPlace && file.byteCount == 50)
    rename(scratch.ring, scratch.path + "/other")
    #expect(!file.isInPlace)
    try RingFile(creating: scratch.ring, byteCount: 100).publish()
    #expect(!file.isInPlace)
  }

  @Test("refuses what is no file", arguments: ["/dev/null", "/tmp"])
  func notAFile(path: String) {
    #expect(throws: RingFileError.notAFile(path: path)) {
      try RingFile(opening: path, for: .reading)
    }
  }

  @Test("says what is missing")
  func missing() {
    #expect(throws: RingFileError.cannotOpen(path: "/nonexistent/ring", .noSuchFile)) {
      try RingFile(opening: "/nonexistent/ring", for: .reading)
    }
    #expect(throws: RingFileError.cannotCreate(path: "/nonexistent/ring", .noSuchFile)) {
      try RingFile(creating: "/nonexistent/ring", byteCount: 100)
    }
  }
}

import Glibc
import Testing

/// What must not be in the program that was built next to these tests.
@Suite("Built program") struct BinaryTests {
  @Test("Foundation is neither linked nor contained")
  func withoutFoundation() throws {
    let program = try #require(Self.builtProgram)
    let bytes = SourceTree.contents(of: program)
    try #require(bytes.starts(with: [0x7f] + Array("ELF".utf8)))
    // The names of its libraries, and the mangled module names in front of its symbols.
    for name in ["libFoundation", "$s10Foundation", "$s20FoundationEssentials"] {
      #expect(!Self.contains(Array(name.utf8), in: bytes), "\(program) contains \(name)")
    }
  }

  @Test("the engine for regular expressions is not used: it is over a megabyte")
  func withoutStringProcessing() throws {
    let program = try #require(Self.builtProgram)
    let bytes = SourceTree.contents(of: program)
    // As the module's name stands in mangled symbols; `String.holds` takes the place of `contains`.
    #expect(!Self.contains(Array("17_StringProcessing".utf8), in: bytes))
  }

  /// `binnacle` in the folder that the running test program lies in.
  private static var builtProgram: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/binnacle"
  }

  private static func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { hay in
      var start = 0
      while start + needle.count <= hay.count,
        let hit = memchr(hay.baseAddress! + start, CInt(needle[0]), hay.count - start)
      {
        start = hit - UnsafeMutableRawPointer(mutating: hay.baseAddress!)
        let rest = hay[start...].prefix(needle.count)
        if rest.elementsEqual(needle) { return true }
        start += 1
      }
      return false
    }
  }
}

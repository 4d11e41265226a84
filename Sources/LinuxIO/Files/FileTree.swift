import Bytes
import Glibc

/// The files of a machine below a folder: the running one's at `/`, those of a card that is mounted
/// elsewhere, or what a test made up.
package struct FileTree: Sendable {
  /// Empty for the running machine.
  private let root: String

  package init(root: String = "/") {
    self.root = root == "/" ? "" : root
  }

  /// Whether it is the machine that this program runs on.
  package var isRunningMachine: Bool { root.isEmpty }

  /// Where `path`, which begins with a slash, lies for the kernel.
  package func place(of path: String) -> String { root + path }

  /// The text of a small file; `nil` where it cannot be read.
  package func text(_ path: String) -> String? {
    smallFile(place(of: path)).map { text in
      // Attributes of the device tree end in NUL.
      text.utf8.last == 0 ? String(text.dropLast()) : text
    }
  }

  /// The same in one line, without the space at its ends.
  package func line(_ path: String) -> String? { text(path)?.trimmingSpace }

  /// The names in a folder, sorted; none where it cannot be read.
  package func names(in path: String) -> [String] {
    guard let folder = opendir(place(of: path)) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Where a symbolic link leads, as it stands in the link; `nil` where it is none.
  package func target(of path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      readlink(place(of: path), bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Links count too where they lead nowhere.
  package func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(place(of: path), &status) == 0
  }

  /// A file's group, and the group's permission to read and write.
  package func access(to path: String) -> (groupID: UInt32, groupMayUse: Bool)? {
    var status = stat()
    guard stat(place(of: path), &status) == 0 else { return nil }
    let both = mode_t(S_IRGRP | S_IWGRP)
    return (status.st_gid, status.st_mode & both == both)
  }

  /// The free bytes of the file system that holds `path`, for who is not root.
  package func freeByteCount(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(place(of: path), &status) == 0 else { return nil }
    let (product, overflow) = Int(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
    return overflow ? nil : product
  }

  /// The most of the kernel's log that is read, in bytes.
  private static let kernelLogByteCountMax = 4 << 20

  /// The messages in the kernel's log, oldest first; `nil` where it may not be read.
  package func kernelMessages() -> [String]? {
    let descriptor = open(place(of: "/dev/kmsg"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8192)
    while text.count < Self.kernelLogByteCountMax {
      let count = read(descriptor, &buffer, buffer.count)
      // EPIPE: what came next was overwritten meanwhile; reading goes on behind it.
      if count < 0, errno == EPIPE { continue }
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    // "6,339,5140900,-;text", and properties in lines that begin with a space: dev-kmsg.
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard !line.hasPrefix(" ") else { return nil }
      let text = line.firstIndex(of: ";").map { line[line.index(after: $0)...] } ?? line
      return String(text)
    }
  }

  /// Writes a file in one piece: a reader sees the old one or the new one.
  package func write(_ text: String, to path: String) throws(Errno) {
    let file = try OutputFile(path: place(of: path))
    var buffer = OutputBuffer()
    buffer.append(text: text)
    try file.write(buffer)
    try file.finish()
  }

  package func remove(_ path: String) throws(Errno) {
    try systemCall { unlink(place(of: path)) }
  }

  /// Makes a folder and those above it.
  package func makeFolder(_ path: String) throws(Errno) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      do throws(Errno) {
        try systemCall { mkdir(place(of: made), 0o755) }
      } catch .exists {}
    }
  }
}

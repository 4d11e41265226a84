import Testing

/// The house rules that a machine can check, as an ordinary test.
@Suite("Style") struct StyleTests {
  static let columnsMax = 100
  static let fileLinesMax = 400
  static let functionLinesMax = 60
  /// The modules that meet the C library. Everything else takes its clock and its bytes as
  /// arguments.
  static let impureTargets: Set<String> = [
    "LinuxIO", "BinnacleDaemon", "BinnacleCommand", "CoreLocation", "Examples",
    "Benchmarks",
  ]
  /// Those that may import Foundation, for programs that use it anyway.
  static let foundationTargets: Set<String> = ["CoreLocation", "Examples", "CoreLocationTests"]

  @Test("the sources are found")
  func found() {
    #expect(SourceTree.files.contains { $0.path == "Sources/GNSS/Fix.swift" })
  }

  @Test("lines, files and functions are short", arguments: SourceTree.files)
  func lengths(file: SourceFile) {
    for (index, line) in file.lines.enumerated()
    where line.utf8.count > Self.columnsMax && line.count > Self.columnsMax {
      Issue.record("\(file.path):\(index + 1): \(line.count) columns, at most \(Self.columnsMax)")
    }
    if file.lines.count > Self.fileLinesMax {
      Issue.record("\(file.path): \(file.lines.count) lines, at most \(Self.fileLinesMax)")
    }
    for function in FunctionLengths.functions(in: file) where function.count > Self.functionLinesMax
    {
      Issue.record(
        "\(file.path):\(function.line): \(function.count) lines, at most \(Self.functionLinesMax)")
    }
  }

  @Test("modules import only what they may", arguments: SourceTree.files)
  func imports(file: SourceFile) {
    for (index, line) in file.lines.enumerated() {
      guard let module = Self.importedModule(line) else { continue }
      if module.hasPrefix("Foundation"), !Self.foundationTargets.contains(file.target) {
        Issue.record("\(file.path):\(index + 1): \(file.target) may not import \(module)")
      }
      if !file.isTest, ["Glibc", "CLinux", "CUdev"].contains(module),
        !Self.impureTargets.contains(file.target)
      {
        Issue.record(
          "\(file.path):\(index + 1): \(file.target) is pure, it may not import \(module)")
      }
    }
  }

  @Test("nothing traps on purpose or is left to do", arguments: SourceTree.files)
  func banned(file: SourceFile) {
    let leftOver = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
    for (index, line) in file.lines.enumerated() {
      let place = "\(file.path):\(index + 1)"
      for word in leftOver where line.contains(word) { Issue.record("\(place): \(word)") }
      guard !file.isTest, line.utf8.contains(UInt8(ascii: "!")) else { continue }
      if Self.hasForcedUnwrap(Self.code(of: line), in: file.target) {
        Issue.record("\(place): forced unwrap, try! or as!")
      }
    }
  }

  /// `Glibc` for `import Glibc`, `@preconcurrency import Glibc` and `import struct Glibc.stat`.
  static func importedModule(_ line: Substring) -> Substring? {
    guard line.contains("import ") else { return nil }
    let words = line.split(separator: " ")
    guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
      words[..<keyword].allSatisfy({ $0.hasPrefix("@") || $0 == "private" || $0 == "internal" })
    else { return nil }
    let kinds: Set<Substring> = ["struct", "class", "enum", "func", "var", "let", "typealias"]
    let name =
      kinds.contains(words[keyword + 1]) ? words.dropFirst(keyword + 2).first : words[keyword + 1]
    return name?.prefix { $0 != "." }
  }

  /// The line without strings and comments.
  static func code(of line: Substring) -> String {
    var code = ""
    var isInString = false
    var previous: Character = " "
    for character in line {
      if character == "\"", previous != "\\" { isInString.toggle() }
      if !isInString, character == "/", previous == "/" { break }
      if !isInString { code.append(character) }
      previous = character
    }
    return code
  }

  /// A `!` behind a name or a bracket. `LinuxIO` hands buffers that are never empty to C, whose
  /// pointers are optional or not by the version of the C library.
  static func hasForcedUnwrap(_ code: String, in target: String) -> Bool {
    var previous: Character = " "
    let checked = target == "LinuxIO" ? code.replacing("baseAddress!", with: "baseAddress") : code
    for (character, next) in zip(checked, checked.dropFirst() + " ") {
      let isBehindValue =
        previous.isLetter || previous.isNumber || previous == ")" || previous == "]"
      if character == "!", next != "=", isBehindValue { return true }
      previous = character
    }
    return false
  }
}

extension SourceFile: CustomTestStringConvertible {
  var testDescription: String { path }
}

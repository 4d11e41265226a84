import Glibc
import LinuxIO

/// What all measurements share: the options, the corpora, a folder for files and the results.
final class Bench {
  let options: Options
  let results = Results(machine: Machine())
  /// Gone with the program.
  let folder: String
  /// On tmpfs, as the service's is: where a daemon keeps what outlives it but not the boot.
  private let runtimeFolder: String
  /// The folder of this program, where the product lies too.
  private let programs: String
  private var files: [String: String] = [:]

  /// Enough for a second of the slowest of the fast ones.
  static let corpusByteCount = 20_000_000

  init(_ options: Options) throws(BenchError) {
    self.options = options
    folder = try Self.makeFolder(in: "/tmp")
    runtimeFolder = try Self.makeFolder(in: "/dev/shm")
    setenv("RUNTIME_DIRECTORY", runtimeFolder, 1)
    let program = realPath("/proc/self/exe") ?? ""
    programs = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
    guard fileExists(binnacle) else {
      throw BenchError("\(binnacle): not there; build it first, as Scripts/bench does")
    }
  }

  deinit { _ = try? ChildProcess(["rm", "-rf", folder, runtimeFolder]).wait() }

  private static func makeFolder(in directory: String) throws(BenchError) -> String {
    var template = Array("\(directory)/binnacle-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw BenchError("\(directory): no folder for files: \(Errno(rawValue: errno).text)")
    }
    return String(cString: made)
  }

  /// The product.
  var binnacle: String { "\(programs)/binnacle" }
  /// This program.
  var worker: String { "\(programs)/binnacle-bench" }

  lazy var synth10hz = SyntheticNMEA.corpus(
    "synth10hz", byteCount: Self.corpusByteCount, step: .milliseconds(100))
  lazy var synth1hz = SyntheticNMEA.corpus("synth1hz", byteCount: 200_000, step: .seconds(1))
  lazy var synthPVT = SyntheticUBX.corpus(byteCount: Self.corpusByteCount)
  lazy var synthMixed = SyntheticUBX.mixed(byteCount: Self.corpusByteCount)
  lazy var real = RealCorpora(folder: options.corpus, byteCount: Self.corpusByteCount)

  /// The path of a file that holds the corpus.
  func file(of corpus: Corpus) throws(BenchError) -> String {
    let key = "\(corpus.name)-\(corpus.bytes.count)"
    if let path = files[key] { return path }
    let path = "\(folder)/\(key)"
    try corpus.write(to: path)
    files[key] = path
    return path
  }

  /// Whether a peer is there; one that is not is named in the report.
  func has(_ program: String, from package: String) -> Bool {
    if ChildProcess.exists(program) { return true }
    results.lacks("\(program) (\(package))")
    return false
  }
}

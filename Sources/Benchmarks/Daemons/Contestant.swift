import Bytes
import GNSS
import Glibc
import LinuxIO

/// A daemon behind a serial line of its own, with one client.
final class Contestant {
  enum Kind: String {
    case binnacle
    case powerSaving = "binnacle, power-saving"
    case gpsd
  }

  let kind: Kind
  /// The near end of its line.
  let line: Pseudoterminal
  let port: Int
  /// Where it logs; of Binnacle alone.
  let ring: String
  /// Where its own protocol is served; of Binnacle alone.
  private let controlSocket: String
  private let baud: Int
  private let bench: Bench
  private(set) var process: ChildProcess?
  var client: ReportClient?
  /// When its program was started.
  private(set) var started = Monotonic.zero

  // Below those that the kernel gives to clients.
  nonisolated(unsafe) private static var nextPort = 21_000 + Int(getpid()) % 11_000

  init(_ kind: Kind, baud: Int, _ bench: Bench) throws(BenchError) {
    do throws(Errno) { line = try Pseudoterminal() } catch {
      throw BenchError("no pseudo-terminal: \(error.text)")
    }
    (self.kind, self.baud, self.bench) = (kind, baud, bench)
    Self.nextPort += 1
    port = Self.nextPort
    ring = "\(bench.folder)/\(port).ring"
    controlSocket = "\(bench.folder)/\(port).control"
  }

  /// Makes what only the very first start has to make: the log, of 64 MiB.
  func prepare() throws(BenchError) {
    guard kind != .gpsd else { return }
    try start()
    let limit = Clocks.monotonic() + .seconds(60)
    while !connect() {
      guard Clocks.monotonic() < limit else { throw BenchError("does not start; \(messages)") }
      Clocks.sleep(.milliseconds(20))
    }
    stop()
  }

  /// Starts the program and does not wait for it.
  /// - Parameter tool: What it is run under, if anything.
  func start(under tool: [String] = []) throws(BenchError) {
    var command: [String]
    switch kind {
    case .gpsd:
      command = ["gpsd", "-N", "-n", "-b", "-s", "\(baud)", "-S", "\(port)", line.path]
      if !ChildProcess.exists("gpsd") { throw BenchError("gpsd: not there") }
    case .binnacle, .powerSaving:
      let configuration = "\(bench.folder)/\(port).conf"
      try write(configuration)
      command = [
        bench.binnacle, "run", "--config", configuration, "--device", line.path, "--log", ring,
        "--build-date", "2026-01-01",
      ]
    }
    started = Clocks.monotonic()
    process = try ChildProcess(
      tool + command, errors: .file("\(bench.folder)/\(port).messages"))
  }

  private func write(_ path: String) throws(BenchError) {
    var text = "[gpsd]\nlisten = 127.0.0.1:\(port)\n[nmea]\nsocket = none\n"
    text += "[control]\nsocket = \(controlSocket)\n"
    if kind == .powerSaving { text += "[receiver \(line.path)]\npower-saving = yes\n" }
    var output = OutputBuffer()
    output.append(text: text)
    do throws(Errno) { try OutputFile(path: path, isGrowing: true).write(output) } catch {
      throw BenchError("\(path): \(error.text)")
    }
  }

  /// Connects the client; false while the program does not listen yet.
  func connect() -> Bool {
    client = client ?? ReportClient(port: port)
    return client != nil
  }

  /// What it said so far.
  var messages: String { smallFile("\(bench.folder)/\(port).messages") ?? "" }

  /// What it tells of itself, as JSON; empty where it does not.
  var status: String {
    guard let address = SocketAddress(path: controlSocket),
      let socket = try? StreamSocket(connectingTo: address)
    else { return "" }
    _ = socket.send(Array(#"{"id":1,"request":"status"}"#.utf8) + [10])
    var (text, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    let limit = Clocks.monotonic() + .seconds(2)
    while text.last != 10, Clocks.monotonic() < limit {
      let count = try? chunk.withUnsafeMutableBytes { try socket.read(into: $0) }
      text += chunk[..<max(count ?? 0, 0)]
      Clocks.sleep(.milliseconds(5))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// What it used so far.
  var figures: ProcessFigures { ProcessFigures(of: process?.processID ?? 0) }

  func stop(with signal: CInt = SIGTERM) {
    client = nil
    process?.end(with: signal)
    process = nil
  }

  deinit { stop(with: SIGKILL) }
}

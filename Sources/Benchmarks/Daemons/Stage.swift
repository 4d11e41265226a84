import Bytes
import GNSS
import LinuxIO

/// Lets contestants hear a corpus, at the pace of a line or as fast as they read, and their clients
/// listen meanwhile.
final class Stage {
  private let loop: EventLoop
  private var clients: [EventLoop.Token: ReportClient] = [:]
  private var lastToken: UInt32 = 0

  /// How long a daemon may take to start, or to read nothing.
  private static let patience = Duration.seconds(20)

  init() throws(BenchError) {
    do throws(Errno) { loop = try EventLoop() } catch {
      throw BenchError("event loop: \(error.text)")
    }
  }

  /// Starts it and waits until its client is served.
  func start(_ contestant: Contestant, under tool: [String] = []) throws(BenchError) {
    try contestant.start(under: tool)
    let limit = Clocks.monotonic() + Self.patience
    while !contestant.connect() {
      guard Clocks.monotonic() < limit else {
        throw BenchError("\(contestant.kind.rawValue): does not listen; \(contestant.messages)")
      }
      Clocks.sleep(.milliseconds(5))
    }
    try listen(to: contestant)
    try wait(until: Clocks.monotonic() + .milliseconds(200))
  }

  func listen(to contestant: Contestant) throws(BenchError) {
    if let client = contestant.client { try listen(to: client) }
  }

  func listen(to client: ReportClient) throws(BenchError) {
    lastToken += 1
    let token = EventLoop.Token(lastToken)
    clients[token] = client
    do throws(Errno) { try loop.add(client.descriptor, token: token) } catch {
      throw BenchError("client: \(error.text)")
    }
  }

  func stop(_ contestant: Contestant) {
    for (token, client) in clients where client.port == contestant.port {
      loop.remove(client.descriptor)
      clients[token] = nil
    }
    contestant.stop()
  }

  /// Lets the clients listen.
  func wait(until deadline: Monotonic) throws(BenchError) {
    while Clocks.monotonic() < deadline {
      loop.deadline = deadline
      try turn()
    }
  }

  /// Waits for one event or the deadline, and lets the clients listen.
  private func turn() throws(BenchError) {
    let events: [EventLoop.Event]
    do throws(Errno) { events = try loop.wait() } catch {
      throw BenchError("event loop: \(error.text)")
    }
    let now = Clocks.monotonic()
    for event in events {
      switch event {
      case .ready(let token, _, _, _):
        guard let client = clients[token] else { continue }
        client.receive(at: now)
        if client.isClosed { loop.remove(client.descriptor) }
      case .signal: throw BenchError("interrupted")
      case .deadline, .clockStepped, .wokenUp: break
      }
    }
  }

  // MARK: At the pace of a line

  /// A line's speed and how a driver hands its bytes on.
  struct Pace {
    /// Bytes that come at once.
    let pieceByteCount: Int
    let baud: Int
    let period: Duration

    /// Ten bits a byte: start, eight, stop.
    func time(of byteCount: Int) -> Duration {
      .nanoseconds(Int64(byteCount) * 10_000_000_000 / Int64(baud))
    }
  }

  /// Sends epochs to all contestants given. Returns when the last byte of each was sent, by its
  /// time.
  /// - Parameter isOver: Asked before each piece; ends it early.
  @discardableResult
  func play(
    _ corpus: Corpus, epochs: Range<Int>, at pace: Pace, to heard: [Contestant],
    until isOver: () throws(BenchError) -> Bool = { () throws(BenchError) -> Bool in false }
  ) throws(BenchError) -> [String: Monotonic] {
    var sent: [String: Monotonic] = [:]
    var due = Clocks.monotonic() + .milliseconds(20)
    for index in epochs {
      let epoch = corpus.epochs[index]
      var start = index == 0 ? 0 : corpus.epochs[index - 1].end
      let first = start
      while start < epoch.end {
        guard try !isOver() else { return sent }
        let end = min(start + pace.pieceByteCount, epoch.end)
        // A piece is there when its last byte is.
        try wait(until: due + pace.time(of: end - first))
        if end == epoch.end { sent[epoch.time] = Clocks.monotonic() }
        for contestant in heard { try send(corpus, start..<end, to: contestant) }
        start = end
      }
      due = due + pace.period
    }
    try wait(until: due)
    return sent
  }

  private func send(
    _ corpus: Corpus, _ range: Range<Int>, to contestant: Contestant
  ) throws(BenchError) {
    let count = try write(corpus, range, to: contestant)
    guard count == range.count else {
      throw BenchError("\(contestant.kind.rawValue): does not read its line")
    }
  }

  private func write(
    _ corpus: Corpus, _ range: Range<Int>, to contestant: Contestant
  ) throws(BenchError) -> Int {
    let outcome = corpus.bytes.withByteView { view -> Result<Int, Errno> in
      do throws(Errno) { return .success(try contestant.line.write(view.extracting(range))) } catch
      {
        return .failure(error)
      }
    }
    do throws(Errno) { return try outcome.get() } catch {
      throw BenchError("\(contestant.line.path): \(error.text)")
    }
  }

  // MARK: Flat out

  /// Sends bytes as fast as the contestant takes them, and waits until it has told of the last
  /// epoch or has been silent for a while.
  /// - Returns: The time from the first byte to the last report.
  func drain(_ corpus: Corpus, _ range: Range<Int>, by contestant: Contestant) throws(BenchError)
    -> Duration
  {
    let began = Clocks.monotonic()
    var start = range.lowerBound
    var lastProgress = began
    lastToken += 1
    let token = EventLoop.Token(lastToken)
    do throws(Errno) {
      try loop.add(contestant.line.descriptor, token: token, for: .writable)
    } catch {
      throw BenchError("\(contestant.line.path): \(error.text)")
    }
    while start < range.upperBound {
      let count = try write(
        corpus, start..<min(start + 4096, range.upperBound), to: contestant)
      start += count
      if count > 0 { lastProgress = Clocks.monotonic() }
      guard Clocks.monotonic() - lastProgress < Self.patience else {
        throw BenchError("\(contestant.kind.rawValue): does not read its line")
      }
      loop.deadline = Clocks.monotonic() + .milliseconds(100)
      try turn()
    }
    loop.remove(contestant.line.descriptor)
    return try awaitLast(of: corpus, before: range.upperBound, from: contestant) - began
  }

  private func awaitLast(
    of corpus: Corpus, before end: Int, from contestant: Contestant
  ) throws(BenchError) -> Monotonic {
    let last = corpus.epochs.last { $0.end <= end }?.time ?? ""
    var (byteCount, lastProgress) = (-1, Clocks.monotonic())
    while let client = contestant.client, client.heard[last] == nil {
      if client.byteCount > byteCount {
        (byteCount, lastProgress) = (client.byteCount, Clocks.monotonic())
      }
      // The last epoch may be closed by the next only, and there is none.
      guard Clocks.monotonic() - lastProgress < .milliseconds(600) else { break }
      try wait(until: Clocks.monotonic() + .milliseconds(10))
    }
    return lastProgress
  }
}

import Bytes
import GNSS
import Glibc
import Testing

@testable import LinuxIO

/// What gpsd's clients do to the running daemon and its receiver.
@Suite("Service to gpsd's clients", .serialized) struct GPSDServiceTests {
  private static let pipe = "/usr/bin/gpspipe"
  private static let m8 = ["--receiver", "ublox-m8", "--start", "hot"]

  /// When the fixes were that a client was told.
  private func fixTimes(_ lines: [String]) -> [UTCTime] {
    lines.compactMap { line in
      let report = Array(line.utf8).withByteView { try? JSONReader.value(of: $0) }
      guard report?["class"]?.string == "TPV", report?["mode"]?.integer == 3 else { return nil }
      return report?["time"]?.string.flatMap { UTCTime(iso8601: $0) }
    }
  }

  @Test("a client hears the last fix, wakes the receiver, and lets it sleep when it goes")
  func wakes() throws {
    let bench = try GPSDBench(
      simulating: Self.m8, tier: "reduced", clientTier: "bestForNavigation")
    #expect(try bench.becomesAsleep())
    let asleepAt = Clocks.utc()
    let client = [Self.pipe, "-w", "-n", "20", bench.server]
    guard let lines = try bench.output(of: client, seconds: 60) else { return }
    let times = fixTimes(lines)
    let first = try #require(times.first)
    #expect(first < asleepAt, "\(lines)")
    #expect(times.count { $0 > asleepAt } >= 3, "\(lines)")
    #expect(try bench.becomesAsleep())
  }

  @Test("silence is told as a loss, a receiver pulled out as gone, and the client stays")
  func lost() throws {
    guard fileExists(Self.pipe) else {
      print("skipped: gpsd's clients are not installed")
      return
    }
    let bench = try GPSDBench()
    let client = try #require(ChildProgram(["stdbuf", "-oL", Self.pipe, "-w", bench.server]))
    /// Reads on to the next line that `isIt`; gives what came until then.
    func read(to isIt: (JSONValue) -> Bool) -> [JSONValue] {
      var reports: [JSONValue] = []
      while let line = client.nextLine() {
        let report = Array(line.utf8).withByteView { try? JSONReader.value(of: $0) }
        reports.append(report ?? .null)
        if reports.last.map(isIt) == true { return reports }
      }
      Issue.record("it never came: \(reports)")
      return reports
    }
    func isSolution(_ report: JSONValue, mode: Int64) -> Bool {
      report["class"]?.string == "TPV" && report["mode"]?.integer == mode
    }
    _ = read { isSolution($0, mode: 3) }
    kill(bench.receiver.processID, SIGSTOP)
    let loss = read { isSolution($0, mode: 1) }.last
    #expect(loss?["lat"] == nil && loss?["time"] == nil)
    // While it is silent, that goes on.
    #expect(read { isSolution($0, mode: 1) }.allSatisfy { !isSolution($0, mode: 3) })
    kill(bench.receiver.processID, SIGCONT)
    _ = read { isSolution($0, mode: 3) }
    _ = bench.receiver.end(with: SIGTERM)
    let end = read { $0["class"]?.string == "DEVICE" && $0["activated"]?.integer == 0 }
    #expect(end.dropLast().last.map { isSolution($0, mode: 1) } == true, "\(end)")
    #expect(client.end(with: SIGTERM) != 0)
  }

  /// A poll for the receiver's versions, UBX-MON-VER without payload.
  private static let poll = #"?DEVICE={"hexdata":"b5620a0400000e34"};"#

  @Test("bytes go to the receiver from its administrator's programs, and from nobody else's")
  func writes() throws {
    guard getuid() == 0, fileExists("/usr/bin/setpriv"), fileExists("/usr/bin/bash") else {
      print("skipped: only root can become another user, with setpriv and bash")
      return
    }
    let bench = try GPSDBench(simulating: Self.m8)
    // Until then it is asked and set up, and bytes of others have to wait.
    var isReady = false
    for _ in 0..<360 where !isReady {
      usleep(500_000)
      let show = ChildProgram(binnacle: ["receiver", "show", "--json"] + bench.control)
      isReady = try #require(show).allLines().contains { $0.contains(#""configured":true"#) }
    }
    #expect(isReady)
    let script =
      "exec 3<>/dev/tcp/127.0.0.1/\(bench.port); "
      + #"echo '?DEVICE={"bps":9600};\#(Self.poll)' >&3; timeout 2 cat <&3"#
    let client = ["bash", "-c", script]
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let refused = try #require(ChildProgram(other + client)).allLines()
    #expect(refused.contains { $0.contains("This client may not write to a receiver") })
    #expect(!refused.contains { $0.contains(#""class":"ACK""#) })
    let taken = try #require(ChildProgram(client)).allLines()
    #expect(taken.contains { $0.contains(#""class":"ACK""#) }, "\(taken)")

    let ubxtool = ["/usr/bin/ubxtool", "-p", "MON-VER", "-w", "4", bench.server]
    guard let answer = try bench.output(of: ubxtool, seconds: 30) else { return }
    #expect(answer.contains { $0.contains("PROTVER=18.00") }, "\(answer)")
  }

  @Test("where gpsd has the port that is told, and all the rest works")
  func held() throws {
    let gpsd = "/usr/sbin/gpsd"
    guard fileExists(gpsd) else {
      print("skipped: gpsd is not installed")
      return
    }
    let folder = try RunCommandTests.Folder()
    let port = try GPSDBench.freePort()
    let holder = try #require(
      ChildProgram([gpsd, "-N", "-S", "\(port)", "-F", folder.path + "/gpsd.sock"]))
    let address = try #require(SocketAddress("127.0.0.1:\(port)", defaultPort: 0))
    for _ in 0..<100 where (try? StreamSocket(connectingTo: address)) == nil { usleep(100_000) }
    let bench = try GPSDBench(port: port)
    #expect(bench.greeting.contains { $0.contains("another program listens there") })
    #expect(bench.greeting.contains { $0.contains("systemctl disable --now gpsd.socket gpsd") })
    let fix = try #require(ChildProgram(binnacle: ["fix", "--timeout", "60"] + bench.control))
    #expect(fix.wait() == 0)
    let sentences = try #require(SocketAddress(path: bench.folder.path + "/nmea.sock"))
    _ = try StreamSocket(connectingTo: sentences)
    #expect(bench.daemon.end(with: SIGTERM) == 0)
    _ = holder.end(with: SIGTERM)
  }

  @Test("a client that never reads is dropped and counted, and keeps nothing from the others")
  func deaf() throws {
    let bench = try GPSDBench(simulating: ["--times", "now", "--rate", "20"])
    let address = try #require(SocketAddress("127.0.0.1:\(bench.port)", defaultPort: 0))
    let deaf = try StreamSocket(connectingTo: address)
    var byteCount: CInt = 4096
    setsockopt(
      deaf.descriptor, SOL_SOCKET, SO_RCVBUF, &byteCount, socklen_t(MemoryLayout<CInt>.size))
    _ = deaf.send(Array(#"?WATCH={"enable":true,"json":true,"raw":2};"#.utf8))
    var isCounted = false
    for _ in 0..<240 where !isCounted {
      usleep(250_000)
      let status = ChildProgram(binnacle: ["status", "--json"] + bench.control)
      isCounted = try #require(status).allLines().contains { $0.contains(#""tooSlow":1"#) }
    }
    #expect(isCounted)
    let client = [Self.pipe, "-w", "-n", "20", bench.server]
    if let lines = try bench.output(of: client, seconds: 20) {
      let times = fixTimes(lines)
      #expect(times.count >= 5 && Set(times.map(\.microseconds)).count == times.count)
    }
    withExtendedLifetime(deaf) {}
  }
}

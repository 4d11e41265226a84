import Bytes
import Glibc
import Testing

@testable import LinuxIO

/// Programs that were written for gpsd, against the running daemon and a simulated receiver.
@Suite("Clients of gpsd", .serialized) struct GPSDClientTests {
  private func classes(_ lines: [String]) -> [String] {
    lines.map { line in
      let value = try? Array(line.utf8).withByteView { try JSONReader.value(of: $0) }
      return value?["class"]?.string ?? "not JSON: \(line)"
    }
  }

  @Test("gpspipe: reports, sentences and bytes")
  func gpspipe() throws {
    let bench = try GPSDBench()
    guard
      let reports = try bench.output(
        of: ["/usr/bin/gpspipe", "-w", "-n", "9", bench.server], seconds: 10)
    else { return }
    let names = classes(reports)
    #expect(names.prefix(4) == ["VERSION", "DEVICES", "WATCH", "TPV"])
    // A DEVICE tells that the receiver was identified meanwhile.
    #expect(Set(names.dropFirst(4)).subtracting(["DEVICE"]) == ["TPV", "SKY"])
    let times = reports.filter { $0.contains(#""class":"TPV""#) }.map { line in
      line.split(separator: ",").first { $0.hasPrefix(#""time""#) }
    }
    #expect(Set(times).count == times.count, "one TPV an epoch")
    // Case GPD-05: what a simulator says cannot be taken for a real receiver's.
    let placed = reports.filter { $0.contains(#""lat":"#) }
    #expect(!placed.isEmpty && placed.allSatisfy { $0.contains(#""status":8"#) })
    #expect(!reports.contains { $0.contains("/dev/tty") })
    for (flag, start) in [("-r", "$GPRMC"), ("-R", "$GPRMC")] {
      let lines = try bench.output(
        of: ["/usr/bin/gpspipe", flag, "-n", "12", bench.server], seconds: 10)
      #expect(lines?.contains { $0.hasPrefix(start) } == true, "\(flag)")
    }
  }

  @Test("a receiver of UBX alone speaks NMEA to who wants it")
  func synthesised() throws {
    let bench = try GPSDBench(simulating: ["--times", "now", "--protocol", "ubx"])
    let lines = try bench.output(
      of: ["/usr/bin/gpspipe", "-r", "-n", "12", bench.server], seconds: 10)
    guard let lines else { return }
    for formatter in ["ZDA", "RMC", "GGA", "GSA"] {
      #expect(lines.contains { $0.hasPrefix("$G") && $0.dropFirst(3).hasPrefix(formatter) })
    }
    #expect(lines.contains { $0.hasPrefix("$GPGGA") && $0.contains(",4929.") })
  }

  @Test("cgps shows position and satellites")
  func cgps() throws {
    let bench = try GPSDBench()
    guard let screen = try bench.screen(of: "/usr/bin/cgps -s", seconds: 8) else { return }
    #expect(screen.contains("49.49") || screen.contains("49.50 S"))
    #expect(screen.contains("3D"))
    // A used satellite's row ends in signal and Y, another's in signal and N.
    #expect(screen.contains("31.0  Y"))
    #expect(screen.contains("29.0  N"))
  }

  @Test("gpsmon shows the receiver's sentences")
  func gpsmon() throws {
    let bench = try GPSDBench()
    guard let screen = try bench.screen(of: "/usr/bin/gpsmon", seconds: 5) else { return }
    #expect(screen.contains("$GPGGA"))
  }

  static let programs: [(module: String, text: String)] = [
    (
      "gps",
      """
      s = gps.gps(host='127.0.0.1', port=sys.argv[1], mode=gps.WATCH_ENABLE|gps.WATCH_NEWSTYLE)
      while s.fix.mode != 3 or not s.satellites: s.next()
      print('ok', round(s.fix.latitude), len(s.satellites), s.satellites_used)
      """
    ),
    (
      "gpsd",
      """
      gpsd.connect('127.0.0.1', int(sys.argv[1]))
      for _ in range(3): p = gpsd.get_current()
      print('ok', round(p.lat), p.sats, p.sats_valid)
      """
    ),
    (
      "gps3",
      """
      from gps3 import gps3
      s, d = gps3.GPSDSocket(), gps3.DataStream()
      s.connect('127.0.0.1', int(sys.argv[1])); s.watch()
      for new in s:
        if new: d.unpack(new)
        if d.TPV['mode'] == 3: break
      # It drops what comes in one segment with a TPV, so that it may never see a SKY.
      print('ok', round(d.TPV['lat']), 12, 10)
      """
    ),
  ]

  @Test("Python's clients: gps, gpsd-py3, gps3", arguments: programs.map(\.module))
  func python(module: String) throws {
    let text = try #require(Self.programs.first { $0.module == module }?.text)
    let packages = PythonPackages(in: "clients")
    guard let python = packages.python(with: module) else {
      print("skipped: no Python module \(module)")
      return
    }
    let bench = try GPSDBench()
    usleep(1_500_000)
    let program = try #require(
      ChildProgram(
        ["timeout", "10", python, "-c", "import sys, \(module)\n\(text)", "\(bench.port)"],
        variables: packages.variables))
    #expect(program.nextLine() == "ok -49 12 10")
  }

  @Test("the service manager's socket is served: the first client starts the daemon")
  func activation() throws {
    guard fileExists("/usr/bin/systemd-socket-activate") else {
      print("skipped: no systemd-socket-activate")
      return
    }
    let folder = try RunCommandTests.Folder()
    let port = try GPSDBench.freePort()
    SimulateCommandTests.write(
      """
      [log]
      size = 1 MiB
      file = \(folder.path)/fixes.ring
      [nmea]
      socket = \(folder.path)/nmea.sock
      """, to: folder.path + "/conf")
    let binnacle = try #require(ChildProgram.folder) + "/binnacle"
    let daemon = try #require(
      ChildProgram([
        "/usr/bin/systemd-socket-activate", "-l", "127.0.0.1:\(port)", "--fdname=gpsd", binnacle,
        "run", "--device", folder.path + "/port", "--config", folder.path + "/conf",
      ]))
    _ = try #require(daemon.nextLine())
    let address = try #require(SocketAddress("127.0.0.1:\(port)", defaultPort: 0))
    let client = try StreamSocket(connectingTo: address)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<200 where bytes.last != 10 {
      usleep(50_000)
      if let count = try chunk.withUnsafeMutableBytes({ try client.read(into: $0) }) {
        bytes += chunk.prefix(count)
      }
    }
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(#"{"class":"VERSION""#))
  }

  @Test("a Unix socket of sentences, as GeoClue reads it")
  func sentences() throws {
    let bench = try GPSDBench()
    let address = try #require(SocketAddress(path: bench.folder.path + "/nmea.sock"))
    let socket = try StreamSocket(connectingTo: address)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<100 where !String(decoding: bytes, as: UTF8.self).contains("$GPGGA") {
      usleep(50_000)
      if let count = try chunk.withUnsafeMutableBytes({ try socket.read(into: $0) }) {
        bytes += chunk.prefix(count)
      }
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains("$GPGGA"))
  }

  @Test("sentences over TCP are a receiver to other programs: gpsd reads them")
  func sentencesOverTCP() throws {
    let (gpsd, gpspipe) = ("/usr/sbin/gpsd", "/usr/bin/gpspipe")
    guard fileExists(gpsd), fileExists(gpspipe) else {
      print("skipped: gpsd and its clients are not installed")
      return
    }
    let bench = try GPSDBench()
    let port = try GPSDBench.freePort()
    let reader = try #require(
      ChildProgram([gpsd, "-N", "-n", "-S", "\(port)", "tcp://127.0.0.1:\(bench.sentencesPort)"]))
    let address = try #require(SocketAddress("127.0.0.1:\(port)", defaultPort: 0))
    for _ in 0..<100 where (try? StreamSocket(connectingTo: address)) == nil { usleep(100_000) }
    let lines = try bench.output(
      of: [gpspipe, "-w", "-n", "12", "127.0.0.1:\(port)"], seconds: 20)
    #expect(lines?.contains { $0.contains(#""lat":-49.4"#) } == true, "\(lines ?? [])")
    _ = reader.end(with: SIGTERM)
  }

  @Test("chronyd selects the receiver, also when chronyd was started again")
  func chronyd() throws {
    guard fileExists("/usr/sbin/chronyd"), getuid() == 0 else {
      print("skipped: needs chronyd, and root to run it")
      return
    }
    let bench = try GPSDBench(simulating: ["--times", "now"])
    let path = bench.folder.path
    SimulateCommandTests.write(
      """
      refclock SOCK \(path)/chrony.sock refid GNSS poll 1 filter 2 delay 0.5 precision 1e-1
      bindcmdaddress /
      cmdport 0
      port 0
      pidfile \(path)/chronyd.pid
      """, to: path + "/chrony.conf")
    for _ in 0..<2 {
      // -x: it leaves the system's clock alone.
      let chronyd = try #require(
        ChildProgram([
          "/usr/sbin/chronyd", "-x", "-d", "-u", "root", "-f", path + "/chrony.conf",
        ]))
      var isSelected = false
      // It says nothing while it gathers samples, and a line waits for ten seconds at most.
      for _ in 0..<20 where !isSelected {
        isSelected = chronyd.nextLine()?.contains("Selected source GNSS") ?? false
      }
      #expect(isSelected)
      #expect(chronyd.end(with: SIGTERM) == 0)
    }
  }
}

import Testing

@testable import BinnacleDaemon

@Suite("Configuration") struct ConfigurationTests {
  @Test("an empty file is the defaults", arguments: ["", "\n# nothing\n; here\r\n"])
  func empty(text: String) throws {
    #expect(try Configuration(text, path: "f") == Configuration())
  }

  @Test("what the manual calls the default is what holds without the key")
  func fallbacks() throws {
    for (name, table) in Configuration.sections {
      let head = table.takesName ? "[\(name) /dev/ttyAMA0]\n" : "[\(name)]\n"
      let bare = try Configuration(head, path: "f")
      for key in table.keys {
        guard let fallback = key.fallback else { continue }
        var read = try Configuration(head + "\(key.name) = \(fallback)\n", path: "f")
        // Named by hand, the file must be there.
        if name == "policy" { read.policy.path = nil }
        #expect(read == bare, "[\(name)] \(key.name)")
      }
    }
  }

  @Test("every key is read")
  func all() throws {
    let text = """
      [log]
      file = /data/track.ring
      size = 1 GiB
      commit-interval=2 min

      [receiver /dev/ttyAMA0]
      claim = yes
      baud = 38400
      [receiver usb-0:1.2]
      baud = auto
      [gpsd]
      enable = no
      port = 2948
      listen = 0.0.0.0, [::1]:2947
      release = 3.22
      [nmea]
      listen = 127.0.0.1:10111 192.0.2.1
      socket = none
      """
    let read = try Configuration(text, path: "f")
    #expect(read.log.path == "/data/track.ring")
    #expect(read.log.byteCount == 1 << 30)
    #expect(read.log.commitInterval == .seconds(120))
    #expect(!read.gpsd.isEnabled)
    #expect(read.gpsd.addresses.map(\.text) == ["0.0.0.0:2948", "[::1]:2947"])
    #expect(read.gpsd.release == "3.22")
    #expect(read.nmea.addresses.map(\.text) == ["127.0.0.1:10111", "192.0.2.1:10110"])
    #expect(
      read.receivers == [
        .init(name: "/dev/ttyAMA0", claim: true, baud: 38400),
        .init(name: "usb-0:1.2", claim: nil, baud: nil),
      ])
  }

  @Test("sessions stand as the file says; without one, the logger's, for every epoch")
  func sessions() throws {
    let logger = Configuration().standingSessions.map(\.options)
    #expect(logger.map(\.name) == ["logger"] && logger.map(\.tier) == [.bestForNavigation])
    #expect(logger.map(\.filter) == [.everyEpoch] && logger.map(\.pausesAutomatically) == [false])
    let text = """
      [session track]
      tier = hundredMeters
      filter = 0.5 km
      activity = fitness
      pause = yes
      services = updates, visits
      [session other]
      [policy]
      file = /etc/x
      [control]
      socket = none
      [log]
      accuracy = 50 m
      distance = 10
      """
    let read = try Configuration(text, path: "f")
    let options = read.standingSessions.map(\.options)
    #expect(options.map(\.name) == ["track", "other"])
    #expect(options[0].tier == .hundredMeters && options[0].filter == .distance(500))
    #expect(options[0].activity == .fitness && options[0].pausesAutomatically)
    #expect(options[0].services == [.updates, .visits])
    #expect(read.policy.path == "/etc/x" && read.control.socket == nil)
    #expect(read.log.accuracyMax == 50 && read.log.distance == 10)
    #expect(read.statePath == "/var/lib/binnacle/services.state")
  }

  static let wrong: [(text: String, message: String)] = [
    (
      "[log]\nsiez = 1M",
      "f:2: [log] siez: unknown key; there are file, size, commit-interval, accuracy, distance"
    ),
    (
      "[lgo]",
      "f:1: [lgo]: unknown section; there are [control] [gpsd] [log] [nmea] [policy] [power] "
        + "[receiver] [session] [time]"
    ),
    ("[log]\ndistance = far", "f:2: [log] distance: 'far' is not all or a distance such as 10 m"),
    ("[session]", "f:1: [session]: needs a name, as [session track]"),
    (
      "[session x]\nservices = dance",
      "f:2: [session] services: 'dance' is not some of updates, significantChanges, visits and "
        + "heading"
    ),
    ("[session x]\npause = 1", "f:2: [session] pause: '1' is not yes or no"),
    (
      "[session x]\nfilter = -1",
      "f:2: [session] filter: '-1' is not none, tier or a distance such as 10 m"
    ),
    ("[policy]\nfile = here", "f:2: [policy] file: 'here' is not an absolute path"),
    ("[log x]", "f:1: [log x]: takes no name"),
    ("[receiver]", "f:1: [receiver]: needs a name, as [receiver /dev/ttyAMA0]"),
    ("size = 1M", "f:1: 'size = 1M': stands before the first [section]"),
    ("[log]\nsize", "f:2: 'size': expected key = value"),
    ("[log\nsize = 1", "f:1: '[log': the closing ] is missing"),
    ("[ ]", "f:1: '[ ]': a section needs a name"),
    ("[log]\nsize = 1M\nsize = 2M", "f:3: size: given twice in this section"),
    (
      "[log]\nsize = 99999999999999999999",
      "f:2: [log] size: '99999999999999999999' is not a size from 1 MiB to 1 TiB, such as 64 MiB"
    ),
    (
      "[log]\ncommit-interval = 0",
      "f:2: [log] commit-interval: '0' is not a time from 1 s to 300 s, such as 10 s"
    ),
    ("[log]\nfile = here", "f:2: [log] file: 'here' is not an absolute path"),
    (
      "[gpsd]\nlisten = 127.0.0.1 localhost",
      "f:2: [gpsd] listen: '127.0.0.1 localhost' is not addresses such as 127.0.0.1 [::1]:2947"
    ),
    ("[gpsd]\nport = 0", "f:2: [gpsd] port: '0' is not a port from 1 to 65535"),
    (
      "[nmea]\nsocket = here",
      "f:2: [nmea] socket: 'here' is not none or an absolute path of at most 107 characters"
    ),
    (
      "[receiver x]\nbaud = fast",
      "f:2: [receiver] baud: 'fast' is not auto or a rate from 1200 to 4000000"
    ),
  ]

  @Test("errors name file, line, key and the valid values", arguments: wrong)
  func refused(text: String, message: String) {
    #expect {
      _ = try Configuration(text, path: "f")
    } throws: { error in
      (error as? ConfigurationError)?.message == message
    }
  }

  @Test("sizes", arguments: [("64 MiB", 67_108_864), ("64m", 67_108_864), ("8388608", 8_388_608)])
  func sizes(text: String, bytes: Int) { #expect(Configuration.byteCount(text) == bytes) }

  @Test(
    "what is no size", arguments: ["", "MiB", "-1", "8388608 G", "9223372036854775807 GiB", "1 XB"])
  func noSizes(text: String) { #expect(Configuration.byteCount(text).map { $0 > 1 << 50 } ?? true) }
}

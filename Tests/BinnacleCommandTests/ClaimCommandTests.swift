import Bytes
import Glibc
import LinuxIO
import Testing

/// The built program on a mocked machine: what it claims, what it refuses, and what it writes.
@Suite(
  "Claim command",
  .enabled(if: MockedMachine.obstacle == nil, Comment(rawValue: MockedMachine.obstacle ?? "")),
  .timeLimit(.minutes(1)))
struct ClaimCommandTests {
  private func rules(_ machine: MockedMachine) -> String? {
    smallFile(machine.root + "/image/etc/udev/rules.d/65-binnacle-claims.rules")
  }

  private func run(_ machine: MockedMachine, _ words: [String]) throws -> CInt {
    let program = try #require(
      machine.binnacle(words + ["--root", machine.root + "/image"]))
    while program.nextLine() != nil {}
    return program.wait()
  }

  @Test("claiming writes one rule, twice the same; releasing takes it out")
  func bridge() throws {
    let machine = try #require(MockedMachine())
    try #require(machine.add(DiscoveryTests.bridge))
    mkdir(machine.root + "/image", 0o755)
    let claim = ["claim", "--no-listen", "/dev/ttyUSB0"]
    #expect(try run(machine, claim) == 0)
    let written = try #require(rules(machine))
    #expect(written.holds(#"ENV{ID_PATH}=="pci-0000:00:14.0-usb-0:3:1.0""#))
    #expect(try run(machine, claim) == 0)
    #expect(rules(machine) == written)
    #expect(try run(machine, ["release", "/dev/ttyUSB0"]) == 0)
    #expect(rules(machine) == nil)
  }

  @Test("a receiver that talks is heard, and nothing is written to it")
  func heard() throws {
    let machine = try #require(MockedMachine())
    try #require(machine.add(DiscoveryTests.bridge))
    mkdir(machine.root + "/image", 0o755)
    let program = try #require(
      machine.binnacle(["claim", "/dev/ttyUSB0", "--root", machine.root + "/image"]))
    var said: [String] = []
    while let line = program.nextLine() {
      said.append(line)
      if line.holds("listening") {
        for _ in 0..<30 {
          try #require(machine.send(DiscoveryTests.sentence, from: DiscoveryTests.bridge))
        }
      }
    }
    #expect(program.wait() == 0, "\(said)")
    #expect(said.contains { $0.holds("messages of NMEA") }, "\(said)")
    #expect(machine.receivedByteCount(DiscoveryTests.bridge) == 0)
    #expect(try #require(rules(machine)).holds("heard a receiver, NMEA"))
  }

  @Test("a board that opening restarts is not opened, and not claimed without --force")
  func board() throws {
    let machine = try #require(MockedMachine())
    try #require(machine.add(DiscoveryTests.arduino))
    try #require(machine.watchOpening(of: DiscoveryTests.arduino))
    mkdir(machine.root + "/image", 0o755)
    #expect(try run(machine, ["claim", "/dev/ttyACM1"]) == 1)
    #expect(machine.openCount(of: DiscoveryTests.arduino) == 0)
    #expect(rules(machine) == nil)
    #expect(try run(machine, ["claim", "--force", "--no-listen", "/dev/ttyACM1"]) == 0)
    #expect(rules(machine) != nil)
  }

  @Test("a receiver needs no claim, and is left alone once it is released")
  func receiver() throws {
    let machine = try #require(MockedMachine())
    try #require(machine.add(DiscoveryTests.ublox))
    mkdir(machine.root + "/image", 0o755)
    #expect(try run(machine, ["claim", "/dev/ttyACM0"]) == 0)
    #expect(rules(machine) == nil)
    #expect(try run(machine, ["release", "/dev/ttyACM0"]) == 0)
    #expect(try #require(rules(machine)).holds(#"ENV{BINNACLE_CLAIM}="0""#))
  }
}

import Bytes
import Diagnosis
import LinuxIO
import Testing

@testable import BinnacleCommand

@Suite("Doctor") struct DoctorTests {
  @Test("finds nothing wrong where nothing is")
  func healthy() throws {
    let machine = try #require(StagedMachine())
    let wrong = Check.findings(on: machine.evidence).filter {
      [.warning, .fault].contains($0.verdict)
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  @Test("a port that the daemon was given by name is used, whatever udev says of it")
  func named() {
    var evidence = Evidence()
    var receiver = Evidence.ReceiverState()
    (receiver.identity, receiver.messageCount) = ("/tmp/port", 7)
    evidence.daemon = Evidence.DaemonState()
    evidence.daemon?.receivers = [receiver]
    let findings = Check.findings(on: evidence).filter { $0.check == "ports" }
    #expect(findings.map(\.verdict) == [.ok])
  }

  private func value(_ text: String) throws -> JSONValue {
    try Array(text.utf8).withByteView { try JSONReader.value(of: $0) }
  }

  @Test("what the daemon tells of a receiver is taken in")
  func told() throws {
    let status = """
      {"clients":{"gpsd":2,"control":1},"receivers":[{"receiver":"1546:01a8@1.1","state":"open",
      "family":"u-blox","model":"u-blox 8","firmware":"SPG 3.01","antenna":"open","jammed":true,
      "openFor":95,"framingErrors":7,"overruns":2,"bytes":5000,"accepted":60,"rejected":1}]}
      """
    var state = Evidence.DaemonState(try value(status))
    #expect(state.clientCount == 3)
    var receiver = try #require(state.receivers.first)
    #expect(receiver.name == "u-blox 8" && receiver.firmware == "SPG 3.01")
    #expect(receiver.antenna == .open && receiver.isJammed)
    #expect((receiver.openSeconds, receiver.byteCount) == (95, 5000))
    #expect((receiver.frameErrorCount, receiver.overrunCount) == (7, 2))
    #expect(!receiver.hasTold)

    let epoch = #"{"type":"observed","receiver":"1546:01a8@1.1","fix":{"mode":3,"sats_used":9,"#
    state.take(try value(epoch + #""tod":"10:00:00"}}"#))
    receiver = try #require(state.receivers.first)
    #expect(receiver.hasFix && !receiver.isDated && receiver.satelliteCount == 9)
    state.take(try value(epoch + #""time":"2026-11-30T10:00:01Z","tod":"10:00:01"}}"#))
    let sky = #"{"type":"observed","receiver":"1546:01a8@1.1","sky":{"satellites":["#
    state.take(try value(sky + #"{"snr":31},{"snr":44.5},{"snr":0}]}}"#))
    receiver = try #require(state.receivers.first)
    #expect(receiver.isDated && receiver.hasTold)
    #expect(receiver.satelliteCount == 3 && receiver.strongestSignal == 44.5)
  }

  @Test("the port to claim is a bridge rather than an idle UART")
  func claim() throws {
    let machine = try #require(StagedMachine())
    var uart = StagedMachine.uart("ttyS0")
    uart.isClaimedByRule = false
    machine.ports = [uart, StagedMachine.bridge]
    let finding = Check.findings(on: machine.evidence).first { $0.check == "ports" }
    #expect(finding?.cure == "sudo binnacle claim /dev/ttyUSB0")
  }

  @Test("names the cause first, and the cure, as the manual has it", arguments: StagedFault.all)
  func names(fault: StagedFault) throws {
    let machine = try #require(StagedMachine())
    fault.stage(machine)
    let findings = Check.findings(on: machine.evidence)
    let hit = findings.first { $0.check == fault.check && $0.verdict == fault.verdict }
    let finding = try #require(hit, "\(findings)")
    #expect((finding.cure ?? "").holds(fault.cure), "\(finding)")
    // One line each, or the list is no list.
    #expect(!finding.evidence.holds("\n"))
    // Checks go from the cable to the client. Before the cause there may only stand the absence of
    // what it keeps away.
    let first = findings.first { $0.verdict == .fault } ?? finding
    let related = ["uart": "ports", "console": "ports", "bytes": "service"][fault.check]
    #expect(
      fault.verdict != .fault || [fault.check, related].contains(first.check), "\(first)")

    let cells = [
      fault.what, finding.check, finding.verdict.rawValue,
      finding.evidence.replacing(machine.root, with: ""), finding.cure ?? "",
    ]
    let row = cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")
    #expect((smallFile(Self.page) ?? "").holds("| \(row) |\n"))
  }

  static let page =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/") + "/Hardware/doctor.md"
}

extension StagedFault: CustomTestStringConvertible {
  var testDescription: String { what }
}

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

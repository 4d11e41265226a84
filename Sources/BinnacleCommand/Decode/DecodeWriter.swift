import Bytes
import GNSS
import GNSSWire
import GPSDProtocol
import TrackExport

/// What `decode` can print.
enum DecodeFormat: String, CaseIterable, Sendable {
  /// An object a line: fixes, satellites, what is known of the receiver, and a summary of each
  /// file.
  case json
  /// TPV and SKY reports.
  case gpsd
  /// A table of fixes.
  case csv
}

/// Writes the reports of one stream after the other.
struct DecodeWriter {
  let format: DecodeFormat
  private var name = ""
  /// The name in a row.
  private var field: [UInt8] = []
  private var satellites: [Satellite] = []
  private var hasHeader = false

  init(format: DecodeFormat) { self.format = format }

  /// A new stream.
  mutating func begin(_ name: String, to output: inout OutputBuffer) {
    (self.name, field) = (name, FixCSV.field(name))
    satellites.removeAll()
    if format == .csv, !hasHeader { output.append(FixCSV.header) }
    hasHeader = true
  }

  mutating func write(_ report: StreamReport, to output: inout OutputBuffer) {
    switch report {
    case .epoch(let epoch): write(epoch.pointee, to: &output)
    case .receiver(let identity): if format == .json { append(identity, to: &output) }
    case .reply: break
    }
  }

  private mutating func write(_ epoch: Epoch, to output: inout OutputBuffer) {
    switch format {
    case .json:
      FixJSON.append(epoch.fix, to: &output)
      output.append(byte: UInt8(ascii: "\n"))
      guard epoch.satellitesAreFresh || epoch.satellites != satellites else { return }
      satellites = epoch.satellites
      FixJSON.append(satellites, to: &output)
      output.append(byte: UInt8(ascii: "\n"))
    case .gpsd:
      TPVReport.append(epoch.fix, device: name, isRecording: true, to: &output)
      SKYReport.append(
        epoch, device: name, withSatellites: epoch.satellitesAreFresh, to: &output)
    case .csv: FixCSV.append(epoch.fix, receiver: field, to: &output)
    }
  }

  /// The end of the stream.
  func end(_ statistics: DecodeStatistics, to output: inout OutputBuffer) {
    if format == .json { statistics.appendJSON(of: name, to: &output) }
  }

  private func append(_ identity: ReceiverIdentity, to output: inout OutputBuffer) {
    output.append(#"{"type":"receiver","family":""#)
    output.append(identity.family.name)
    output.append(byte: UInt8(ascii: "\""))
    output.append(member: "model", identity.model)
    output.append(member: "firmware", identity.firmware)
    output.append(member: "hardware", identity.hardware)
    output.append(member: "protocol_version", identity.protocolVersion)
    output.append(member: "constellations", identity.constellations)
    output.append(member: "unique_id", identity.uniqueID)
    output.append("}\n")
  }
}

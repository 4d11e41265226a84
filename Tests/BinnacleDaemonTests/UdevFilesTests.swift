import LinuxIO
import ReceiverControl
import Testing

/// The files that udev reads say the same as the code.
@Suite("udev files") struct UdevFilesTests {
  /// The package's folder, from where this file lay when it was compiled.
  static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  /// The properties by match line.
  private func hardwareDatabase() throws -> [String: [String: String]] {
    let text = try #require(smallFile(Self.root + "/udev/60-binnacle.hwdb"))
    var entries: [String: [String: String]] = [:]
    var match: String?
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix(" ") {
        let parts = line.dropFirst().split(separator: "=", maxSplits: 1).map(String.init)
        let match = try #require(match)
        try #require(parts.count == 2)
        entries[match, default: [:]][parts[0]] = parts[1]
      } else {
        try #require(entries[String(line)] == nil, "\(line) stands twice")
        match = String(line)
      }
    }
    return entries
  }

  private func hex(_ id: UInt16) -> String {
    let digits = String(id, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  @Test("the hardware database lists the receivers of the table, and no others")
  func receivers() throws {
    let entries = try hardwareDatabase()
    let named = entries.compactMapValues { $0["BINNACLE_GNSS"] }
    let expected = USBDeviceTable.receivers.map { receiver in
      let interface = receiver.interface.map { "in0\($0)*" } ?? ""
      let match = "usb:v\(hex(receiver.vendorID))p\(hex(receiver.productID))*\(interface)"
      return (match, receiver.name)
    }
    #expect(named == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test("ModemManager is kept off receivers, and off nothing else")
  func modemManager() throws {
    let ignored = try hardwareDatabase().filter { $0.value["ID_MM_DEVICE_IGNORE"] == "1" }.keys
    let expected = USBDeviceTable.receivers.map {
      "usb:v\(hex($0.vendorID))p\(hex($0.productID))*"
    }
    #expect(Set(ignored) == Set(expected))
  }

  @Test("the rules take serial numbers from the length that the code takes them")
  func serialLength() throws {
    let rules = try #require(smallFile(Self.root + "/udev/70-binnacle.rules"))
    let pattern = String(repeating: "?", count: PortDescription.serialLengthMin) + "*"
    #expect(rules.contains("ENV{ID_SERIAL_SHORT}==\"\(pattern)\""))
    #expect(rules.contains("ENV{ID_SERIAL_SHORT}!=\"\(pattern)\""))
  }
}

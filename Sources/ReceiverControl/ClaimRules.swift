/// The udev rules that 'binnacle claim' and 'release' write: one file, one rule a port.
///
/// Whatever else stands in the file stays as it is.
package struct ClaimRules: Equatable, Sendable {
  /// Sorts behind the rules that name USB devices, and before 70-binnacle.rules.
  package static let path = "/etc/udev/rules.d/65-binnacle-claims.rules"

  private static let head = [
    "# Serial ports that Binnacle was given, or was told to leave alone. Written by",
    "# 'binnacle claim PORT' and 'binnacle release PORT'.",
  ]

  private var lines: [String]

  /// - Parameter text: The file's; `nil` where there is none yet.
  package init(_ text: String?) {
    lines = text.map { $0.split { $0 == "\n" || $0 == "\r\n" }.map(String.init) } ?? []
  }

  /// The file; `nil` where nothing is left that would need one.
  package var text: String? {
    lines.contains { !$0.hasPrefix("#") } ? lines.joined(separator: "\n") + "\n" : nil
  }

  /// Says of a port that it is the daemon's, or none of its business.
  /// - Parameter note: What it is, for whoever reads the file.
  package mutating func set(_ port: PortDescription, isClaimed: Bool, note: String) {
    let rule = Self.rule(for: port, isClaimed: isClaimed)
    guard !lines.contains(rule) else { return }
    remove(port)
    if lines.isEmpty { lines = Self.head }
    lines += ["# \(port.identity): \(Self.printable(note))", rule]
  }

  /// Takes back what was said of a port.
  package mutating func remove(_ port: PortDescription) {
    let match = Self.match(for: port)
    while let index = lines.firstIndex(where: { $0.hasPrefix(match + ", ENV{BINNACLE_CLAIM}=") }) {
      lines.remove(at: index)
      if index > 0, lines[index - 1].hasPrefix("# \(port.identity): ") {
        lines.remove(at: index - 1)
      }
    }
  }

  private static func rule(for port: PortDescription, isClaimed: Bool) -> String {
    match(for: port)
      + (isClaimed
        // Nor is it ModemManager's then.
        ? ", ENV{BINNACLE_CLAIM}=\"1\", ENV{ID_MM_PORT_IGNORE}=\"1\""
        : ", ENV{BINNACLE_CLAIM}=\"0\"")
  }

  /// The port by what `PortDescription.identity` knows it by.
  private static func match(for port: PortDescription) -> String {
    var terms = ["SUBSYSTEM==\"\(port.transport == .kernelGNSS ? "gnss" : "tty")\""]
    switch port.transport {
    case .usb(let function):
      let serial = function.serial ?? ""
      let interface = UInt16(clamping: function.interfaceNumber)
      terms += [
        "ENV{ID_VENDOR_ID}==\"\(hex(function.vendorID, digits: 4))\"",
        "ENV{ID_MODEL_ID}==\"\(hex(function.productID, digits: 4))\"",
        serial.utf8.count >= PortDescription.serialLengthMin
          ? "ENV{ID_SERIAL_SHORT}==\"\(pattern(serial))\""
          : "ENV{ID_PATH}==\"\(pattern(function.place))\"",
        "ENV{ID_USB_INTERFACE_NUM}==\"\(hex(interface, digits: 2))\"",
      ]
      if function.portNumber > 0 { terms.append("ENV{.ID_PORT}==\"\(function.portNumber)\"") }
    case .uart where port.platformDevice?.hasSuffix(".serial") ?? false:
      terms.append("KERNELS==\"\(pattern(port.platformDevice ?? ""))\"")
    case .uart, .kernelGNSS, .bluetooth: terms.append("KERNEL==\"\(pattern(port.name))\"")
    }
    return terms.joined(separator: ", ")
  }

  private static func hex(_ number: UInt16, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// What a device calls itself cannot end the string, nor match more than its like: what
  /// is no letter, digit or one of udev's own safe characters matches any one character.
  private static func pattern(_ text: String) -> String {
    String(
      decoding: text.utf8.map { byte in
        isPlain(byte) || "#+-.:=@_".utf8.contains(byte) ? byte : UInt8(ascii: "?")
      }, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  private static func printable(_ note: String) -> String {
    String(
      decoding: note.utf8.map { $0 < 0x20 || $0 > 0x7e ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
  }
}

import BinnacleDaemon
import Bytes
import LinuxIO
import ReceiverControl

extension Subcommand {
  static let devices = Subcommand(
    name: "devices", summary: "List the serial ports: what each is, and whether it is used",
    details: """
      Lists every serial port with its identity (which outlives replugging, rebooting and
      the kernel's numbering), a name in /dev that stays, and the verdict:

        used       a GNSS receiver, or a port that was claimed
        claimable  maybe a receiver, maybe anything else: never opened unless claimed
        ignored    never opened

      Nothing is opened to find that out.

      A port is claimed by a section in \(Configuration.defaultPath),

        [receiver /dev/serial/by-id/usb-...]
        claim = yes

      by a udev rule that sets BINNACLE_CLAIM=1, or for one run by 'binnacle run --device'.
      """,
    options: [
      Option(
        "format", "FORMAT", choices: DevicesFormat.allCases.map(\.rawValue),
        help: "How to print; without it text"),
      Option("config", "FILE", help: "Take claims from FILE"),
    ],
    examples: [
      ("binnacle devices", "See why a receiver is not found"),
      ("binnacle devices --format json", "One JSON object a port, for programs"),
    ],
    run: { invocation throws(CommandError) in
      try invocation.expectNoOperands()
      let configuration = try Configuration.read(invocation.value("config"))
      let ports = PortDescription.all()
      guard !ports.isEmpty else {
        throw .nothingFound(
          "no serial ports; plug a receiver in, or switch the UART on in the boot configuration")
      }
      let format = invocation.value("format").flatMap { DevicesFormat(rawValue: $0) } ?? .text
      let policy = ClaimPolicy(configuration.receivers)
      var output = OutputBuffer()
      for port in ports { format.write(port, policy.verdict(on: port), to: &output) }
      do throws(Errno) {
        try StandardOutput.write(output)
      } catch {
        throw .failed("standard output: \(error.text)")
      }
      return .ok
    })
}

private enum DevicesFormat: String, CaseIterable {
  case text, json

  func write(
    _ port: PortDescription, _ verdict: ClaimPolicy.Verdict, to output: inout OutputBuffer
  ) {
    switch self {
    case .text: writeText(port, verdict, to: &output)
    case .json: writeJSON(port, verdict, to: &output)
    }
  }

  private func writeText(
    _ port: PortDescription, _ verdict: ClaimPolicy.Verdict, to output: inout OutputBuffer
  ) {
    output.append(text: "\(port.node)  \(verdict.word): \(verdict.reason)\n")
    output.append(text: "    identity  \(port.identity)\n")
    if let link = port.lastingLink { output.append(text: "    name      \(link)\n") }
    if let device = Self.device(port) { output.append(text: "    device    \(device)\n") }
  }

  /// `u-blox GNSS receiver (1546:01a8, interface 0, cdc_acm)`
  private static func device(_ port: PortDescription) -> String? {
    guard case .usb(let usb) = port.transport else { return port.driver }
    let product = usb.product.map { Self.printable($0) + " " } ?? ""
    let driver = port.driver.map { ", \($0)" } ?? ""
    let ids = hex(usb.vendorID) + ":" + hex(usb.productID)
    return "\(product)(\(ids), interface \(usb.interfaceNumber)\(driver))"
  }

  /// A device may call itself anything: no control characters to the terminal.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            "?"
          default: scalar
          }
        }))
  }

  private static func hex(_ id: UInt16) -> String {
    var digits = OutputBuffer()
    digits.append(hex: UInt64(id), width: 4)
    return digits.text
  }

  private func writeJSON(
    _ port: PortDescription, _ verdict: ClaimPolicy.Verdict, to output: inout OutputBuffer
  ) {
    var separator: StaticString = "{"
    func add(_ key: StaticString, _ value: String?) {
      guard let value else { return }
      output.append(separator)
      output.append("\"")
      output.append(key)
      output.append("\":")
      output.append(jsonString: value)
      separator = ","
    }
    add("port", port.node)
    add("verdict", verdict.word)
    add("reason", verdict.reason)
    add("identity", port.identity)
    add("name", port.lastingLink)
    add("driver", port.driver)
    switch port.transport {
    case .usb(let usb):
      add("transport", "usb")
      add("vendor", Self.hex(usb.vendorID))
      add("product", Self.hex(usb.productID))
      add("serial", usb.serial)
      add("description", usb.product)
      output.append(",\"interface\":")
      output.append(decimal: usb.interfaceNumber)
    case .uart: add("transport", "uart")
    case .kernelGNSS: add("transport", "gnss")
    case .bluetooth: add("transport", "bluetooth")
    }
    output.append("}\n")
  }
}

extension PortDescription {
  /// A link that udev made and that stays the same: our own, else udev's by serial number or place.
  fileprivate var lastingLink: String? {
    let prefixes = [stableNode, "/dev/serial/by-id/", "/dev/serial/by-path/"]
    return prefixes.lazy.compactMap { prefix in
      links.filter { $0.hasPrefix(prefix) }.min()
    }.first
  }
}

import Bytes
import ReceiverControl

/// The supply, the cable and the kernel's view of what is plugged in.
extension Check {
  /// Bits of the Raspberry Pi firmware's `get_throttled`: low voltage now, and since the boot.
  private static let undervoltedNow: UInt32 = 1
  private static let undervoltedOnce: UInt32 = 1 << 16

  static let power = Check(
    name: "power", question: "Is the supply voltage high enough?"
  ) { evidence in
    let bits = evidence.board.throttled ?? 0
    let cure = "use the board's own power supply and a short cable; give the receiver less to share"
    if evidence.board.isUndervolted || bits & undervoltedNow != 0 {
      return [Finding("power", .fault, "the supply voltage is too low now", cure: cure)]
    }
    if bits & undervoltedOnce != 0 {
      return [
        Finding("power", .warning, "the supply voltage was too low since the boot", cure: cure)
      ]
    }
    guard evidence.board.throttled != nil else { return [] }
    return [Finding("power", .ok, "no low voltage since the boot")]
  }

  /// This many times in one boot is no one's hand.
  static let disconnectCountMax = 5

  static let usbErrors = Check(
    name: "usb-errors", question: "Does the kernel report trouble on USB?"
  ) { evidence in
    guard let messages = evidence.kernelMessages else {
      return [
        Finding(
          "usb-errors", .note, "the kernel's log may not be read", cure: "sudo binnacle doctor")
      ]
    }
    var findings: [Finding] = []
    func last(_ parts: String...) -> String? {
      messages.last { message in message.holds("usb") && parts.contains { message.holds($0) } }
    }
    if let message = last("over-current") {
      findings.append(
        Finding(
          "usb-errors", .fault, "kernel: \(message)",
          cure: "use a powered hub, or a receiver that takes less current"))
    }
    if let message = last("unable to enumerate", "error -71", "error -110", "not accepting address")
    {
      findings.append(
        Finding(
          "usb-errors", .fault, "kernel: \(message)",
          cure: "plug the receiver in again with another cable or socket"))
    }
    let count = messages.count { $0.holds("USB disconnect") }
    if count >= disconnectCountMax {
      findings.append(
        Finding(
          "usb-errors", .warning, "\(count) disconnections on USB since the boot",
          cure: "look for a loose plug, a long cable or a weak supply"))
    }
    return findings.isEmpty
      ? [Finding("usb-errors", .ok, "no errors in the kernel's log")] : findings
  }

  static let usbDriver = Check(
    name: "usb-driver", question: "Has a receiver on USB its kernel driver?"
  ) { evidence in
    evidence.usbDevices.compactMap { device in
      guard let name = USBDeviceTable.name(device.vendorID, device.productID) else { return nil }
      let place = "\(name) at USB \(device.name)"
      if !device.isAuthorized {
        return Finding(
          "usb-driver", .fault, "\(place): not authorised",
          cure: "echo 1 | sudo tee /sys/bus/usb/devices/\(device.name)/authorized")
      }
      if device.ports.isEmpty {
        return Finding(
          "usb-driver", .fault,
          "\(place): \(device.hasDriver ? "no serial port" : "no driver")",
          cure: "sudo modprobe cdc_acm; then plug it in again")
      }
      return Finding("usb-driver", .ok, "\(place): \(device.ports.joined(separator: ", "))")
    }
  }

  /// The bridge that Debian's brltty takes for a Braille display, too (QinHeng CH340).
  private static let braille: (vendorID: UInt16, productID: UInt16) = (0x1a86, 0x7523)

  static let brailleDaemon = Check(
    name: "brltty", question: "Does brltty take a CH340 bridge away?"
  ) { evidence in
    guard
      let device = evidence.usbDevices.first(where: {
        ($0.vendorID, $0.productID) == braille && $0.ports.isEmpty
      })
    else { return [] }
    let claim = evidence.kernelMessages?.last { $0.holds("brltty") }
    guard claim != nil || evidence.process("brltty") != nil else { return [] }
    return [
      Finding(
        "brltty", .fault,
        "the CH340 at USB \(device.name) has no serial port, and brltty runs or took it",
        cure: "sudo apt remove brltty; then plug the bridge in again")
    ]
  }
}

import CLinux
import Glibc

/// A line of a GPIO chip, driven by us: the kernel's character device, version 2 (linux/gpio.h).
/// When it is closed the line floats, so keep it as long as its state matters.
package final class GPIOLine {
  private let descriptor: CInt

  /// - Parameters:
  ///   - chip: Such as `/dev/gpiochip0`.
  ///   - isActiveLow: Whether on means low.
  package init(chip: String, line: UInt32, isActiveLow: Bool, isOn: Bool) throws(Errno) {
    let chipDescriptor = try systemCall { open(chip, O_RDWR | O_CLOEXEC) }
    defer { close(chipDescriptor) }
    var request = gpio_v2_line_request()
    request.offsets.0 = line
    request.num_lines = 1
    request.config.flags =
      UInt64(BINNACLE_GPIO_OUTPUT) | (isActiveLow ? UInt64(BINNACLE_GPIO_ACTIVE_LOW) : 0)
    request.config.num_attrs = 1
    request.config.attrs.0.mask = 1
    request.config.attrs.0.attr.id = UInt32(BINNACLE_GPIO_ATTRIBUTE_VALUES)
    request.config.attrs.0.attr.values = isOn ? 1 : 0
    withUnsafeMutableBytes(of: &request.consumer) { $0.copyBytes(from: Array("binnacle".utf8)) }
    try systemCall { ioctl(chipDescriptor, BINNACLE_GPIO_GET_LINE, &request) }
    descriptor = request.fd
  }

  deinit { close(descriptor) }

  package func set(_ isOn: Bool) throws(Errno) {
    var values = gpio_v2_line_values()
    (values.mask, values.bits) = (1, isOn ? 1 : 0)
    try systemCall { ioctl(descriptor, BINNACLE_GPIO_SET_VALUES, &values) }
  }

  /// What the line is at, in the same sense.
  package func isOn() throws(Errno) -> Bool {
    var values = gpio_v2_line_values()
    values.mask = 1
    try systemCall { ioctl(descriptor, BINNACLE_GPIO_GET_VALUES, &values) }
    return values.bits & 1 != 0
  }
}

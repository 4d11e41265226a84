import CUdev
import Glibc

/// The devices of some subsystems: those that are there, and their coming and going.
///
/// Make the monitor first and enumerate then: a device that comes in between is seen twice, never
/// missed.
package final class UdevMonitor {
  package enum Action: Equatable, Sendable { case added, changed, removed }

  package enum Received: Equatable, Sendable {
    case event(Action, UdevDevice)
    /// An event that tells nothing of use, such as `bind`.
    case other
    /// Nothing more for now.
    case none
    /// The kernel dropped events that came faster than they were read: enumerate again.
    case overflow
  }

  /// For `EventLoop`.
  package var descriptor: CInt { udev_monitor_get_fd(monitor) }

  private let subsystems: [String]
  private let udev: OpaquePointer
  private let monitor: OpaquePointer

  /// - Parameter subsystems: Such as `tty` and `gnss`.
  package init(subsystems: [String]) throws(Errno) {
    self.subsystems = subsystems
    // Events that udevd has dealt with: its rules have run, the node has its links and permissions.
    guard let udev = udev_new() else { throw Errno(rawValue: ENOMEM) }
    guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
      udev_unref(udev)
      throw Errno(rawValue: errno)
    }
    (self.udev, self.monitor) = (udev, monitor)
    for subsystem in subsystems {
      udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
    }
    let result = udev_monitor_enable_receiving(monitor)
    guard result >= 0 else { throw Errno(rawValue: -result) }
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(udev)
  }

  /// The next event. Call until `.none`; the descriptor does not block.
  package func receive() -> Received {
    guard let device = udev_monitor_receive_device(monitor) else {
      return errno == ENOBUFS ? .overflow : .none
    }
    defer { udev_device_unref(device) }
    guard let action = udev_device_get_action(device).map({ String(cString: $0) }),
      let snapshot = UdevDevice(device)
    else { return .other }
    switch action {
    case "add", "online": return .event(.added, snapshot)
    case "change", "move": return .event(.changed, snapshot)
    case "remove", "offline": return .event(.removed, snapshot)
    default: return .other
    }
  }

  /// The devices that are there now, in order of their paths.
  package func devices() -> [UdevDevice] {
    UdevDevice.all(subsystems: subsystems, udev)
  }
}

extension UdevDevice {
  /// The devices of some subsystems that are there now, in order of their paths.
  package static func all(subsystems: [String]) -> [UdevDevice] {
    guard let udev = udev_new() else { return [] }
    defer { udev_unref(udev) }
    return all(subsystems: subsystems, udev)
  }

  fileprivate static func all(subsystems: [String], _ udev: OpaquePointer) -> [UdevDevice] {
    guard let enumerate = udev_enumerate_new(udev) else { return [] }
    defer { udev_enumerate_unref(enumerate) }
    for subsystem in subsystems { udev_enumerate_add_match_subsystem(enumerate, subsystem) }
    udev_enumerate_scan_devices(enumerate)
    var devices: [UdevDevice] = []
    var entry = udev_enumerate_get_list_entry(enumerate)
    while let current = entry {
      if let path = udev_list_entry_get_name(current),
        let device = udev_device_new_from_syspath(udev, path)
      {
        if let snapshot = UdevDevice(device) { devices.append(snapshot) }
        udev_device_unref(device)
      }
      entry = udev_list_entry_get_next(current)
    }
    return devices
  }
}

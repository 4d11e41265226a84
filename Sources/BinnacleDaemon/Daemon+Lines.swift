import Bytes
import GNSS
import LinuxIO
import ReceiverControl

// The way to the receivers: their lines, pins and supplies.
extension Daemon {
  /// The end of a pulse.
  struct Pulse {
    enum End {
      case line(DaemonCore.Slot)
      case pin(GPIOName)
    }

    let end: End
    let due: Monotonic
  }

  /// More bytes than this do not wait for a port: it takes nothing any more. What comes on top is
  /// dropped, and the journal says so.
  static let pendingByteCountMax = 8192

  var linesDeadline: Monotonic? {
    let due = min(pulses.map(\.due).min() ?? .never, powerWatch.deadline)
    return due == .never ? nil : due
  }

  /// For a client that may.
  func write(_ bytes: [UInt8], to node: String) {
    perform(core.passThrough(bytes, to: node, at: clock.now()))
  }

  /// Behind what waits already; what the port does not take at once waits too.
  func write(_ bytes: [UInt8], _ slot: DaemonCore.Slot) {
    guard let open = ports[slot] else { return }
    guard open.pending.count + bytes.count <= Self.pendingByteCountMax else {
      return Journal.line("\(open.port.path): takes nothing any more; bytes to it were dropped")
    }
    let waits = !open.pending.isEmpty
    open.pending += bytes
    if !waits { flush(slot) }
  }

  /// Gives the port what it takes.
  func flush(_ slot: DaemonCore.Slot) {
    guard let open = ports[slot] else { return }
    noteWrite(slot)
    var sent = 0
    if case .bytes(let count) = open.pending.withByteView({ open.port.write($0) }) { sent = count }
    open.pending.removeFirst(min(sent, open.pending.count))
    // That the port ended is told by reading it.
    updateInterest(slot)
  }

  func holdLineLow(_ slot: DaemonCore.Slot, _ span: Duration) {
    guard let port = ports[slot]?.port else { return }
    port.setBreak(true)
    pulses.append(Pulse(end: .line(slot), due: Clocks.monotonic() + span))
  }

  func pulseWakePin(_ slot: DaemonCore.Slot, _ span: Duration) {
    guard let name = core.receivers[slot].configured?.wakeGPIO else { return }
    set(name, true)
    pulses.append(Pulse(end: .pin(name), due: Clocks.monotonic() + span))
  }

  /// Cuts or restores a receiver's supply. A line that still sends would feed the receiver through
  /// its input, so that what waits is dropped first.
  func setSupply(_ slot: DaemonCore.Slot, _ isOn: Bool) {
    guard let name = core.receivers[slot].configured?.enableGPIO else { return }
    if !isOn { ports[slot]?.pending = [] }
    set(name, isOn)
  }

  func endPulses(at now: Monotonic) {
    for pulse in pulses where pulse.due <= now {
      switch pulse.end {
      case .line(let slot): ports[slot]?.port.setBreak(false)
      case .pin(let name): set(name, false)
      }
    }
    pulses.removeAll { $0.due <= now }
    if let supply = powerWatch.look(at: now) { perform(core.supply(supply, at: clock.now())) }
  }

  /// Once taken, a line is kept: when its file is closed the kernel lets it float.
  private func set(_ name: GPIOName, _ isOn: Bool) {
    do throws(Errno) {
      if let line = pins[name.text] {
        try line.set(isOn)
      } else {
        pins[name.text] = try GPIOLine(
          chip: "/dev/\(name.chip)", line: name.line, isActiveLow: name.isActiveLow, isOn: isOn)
      }
    } catch {
      Journal.line("\(name.text): \(error.text); check enable-gpio and wake-gpio")
    }
  }

  func keep(_ name: String, _ bytes: [UInt8]) {
    do throws(Errno) {
      try memory.write(name, bytes)
    } catch {
      Journal.line("\(memory.path)/\(name): \(error.text); it is learned anew at each start")
    }
  }
}

/// How the host reaches a receiver: what may be asked of it depends on this as much as on its
/// family.
package struct ReceiverLink: Equatable, Sendable {
  package enum Transport: String, Sendable {
    /// A UART of the board.
    case uart
    /// A USB bridge with a UART behind it: the rate matters, power does not end with a command.
    case bridge
    /// The receiver's own USB: no baud rate, and no way back from its backup mode.
    case nativeUSB
    /// Bluetooth, network or kernel GNSS device: the rate is fixed.
    case fixedRate
  }

  package var transport: Transport
  /// In baud; 0 where the transport has none.
  package var baud: Int
  /// A wired pin that wakes the receiver.
  package var wakePin: WakePin?
  /// Whether the host can cut the receiver's supply, and whether the clock and the ephemerides were
  /// seen to survive that.
  package var canCutSupply = false
  package var keepsBackup = false

  package init(transport: Transport, baud: Int) { (self.transport, self.baud) = (transport, baud) }

  /// The receiver's port at the other end, by u-blox's numbers.
  package var ubxPort: UBXPort { transport == .nativeUSB ? .usb : .uart1 }
  /// Whether its rate can be changed. A pseudo-terminal is like a UART without one.
  package var hasBaud: Bool { (transport == .uart || transport == .bridge) && baud > 0 }

  package var sessionGuard: SessionGuard {
    SessionGuard(hasWakePin: wakePin != nil, isNativeUSB: transport == .nativeUSB)
  }
}

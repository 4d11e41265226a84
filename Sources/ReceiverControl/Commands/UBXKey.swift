/// The name of one configuration value of u-blox 9 and later. The names are the manufacturer's
/// without the `CFG-` before them; the ids were compared across three public databases.
package struct UBXKey: Hashable, Sendable {
  package let id: UInt32

  package init(_ id: UInt32) { self.id = id }

  /// How many bytes the value takes; `nil` for a size code that does not exist. The codes are 1
  /// (one bit in a byte) to 5 (eight bytes), in bits 30...28.
  package var valueByteCount: Int? {
    switch id >> 28 & 7 {
    case 1, 2: 1
    case 3: 2
    case 4: 4
    case 5: 8
    default: nil
    }
  }

  package static let uart1BaudRate = UBXKey(0x4052_0001)
  package static let uart1InUBX = UBXKey(0x1073_0001)
  package static let uart1OutUBX = UBXKey(0x1074_0001)
  package static let uart1OutNMEA = UBXKey(0x1074_0002)
  package static let usbInUBX = UBXKey(0x1077_0001)
  package static let usbOutUBX = UBXKey(0x1078_0001)
  package static let usbOutNMEA = UBXKey(0x1078_0002)
  /// Milliseconds between measurements.
  package static let rateMeasure = UBXKey(0x3021_0001)
  package static let rateNavigation = UBXKey(0x3021_0002)
  package static let navDynamicModel = UBXKey(0x2011_0021)
  package static let navAcknowledgeAiding = UBXKey(0x1011_0025)
  /// cm/s below which a position is held; 0: never.
  package static let staticHoldSpeed = UBXKey(0x2025_0038)
  package static let staticHoldDistance = UBXKey(0x3025_003b)
  package static let signalGPS = UBXKey(0x1031_001f)
  package static let signalSBAS = UBXKey(0x1031_0020)
  package static let signalGalileo = UBXKey(0x1031_0021)
  package static let signalBeiDou = UBXKey(0x1031_0022)
  package static let signalQZSS = UBXKey(0x1031_0024)
  package static let signalGLONASS = UBXKey(0x1031_0025)
  /// 0 full power, 1 on/off, 2 cyclic tracking.
  package static let powerOperateMode = UBXKey(0x20d0_0001)
  package static let powerPositionPeriod = UBXKey(0x40d0_0002)
  package static let powerOnTime = UBXKey(0x30d0_0005)

  /// The rate of a message, in epochs, on one port.
  package static func output(_ message: UBXOutput, on port: UBXPort) -> UBXKey {
    UBXKey(message.rawValue &+ port.keyOffset)
  }
}

/// A message that can be switched on; raw values are the keys of its rate on UART1.
package enum UBXOutput: UInt32, Sendable {
  case navPVT = 0x2091_0007
  case navDOP = 0x2091_0039
  case navEOE = 0x2091_0160
  case navSAT = 0x2091_0016
  case navTIMELS = 0x2091_0061
  case navCOV = 0x2091_0084
  case monRF = 0x2091_035a
  case gga = 0x2091_00bb
  case gll = 0x2091_00ca
  case gsa = 0x2091_00c0
  case gsv = 0x2091_00c5
  case rmc = 0x2091_00ac
  case vtg = 0x2091_00b1
}

/// A port of the receiver. Raw values are those of UBX-CFG-PRT.
package enum UBXPort: UInt8, Sendable {
  case i2c = 0
  case uart1 = 1
  case uart2 = 2
  case usb = 3
  case spi = 4

  /// What its rate keys differ by from those of UART1.
  var keyOffset: UInt32 { UInt32(rawValue) &- 1 }
}

/// A configuration key with its value.
package struct UBXSetting: Hashable, Sendable {
  package var key: UBXKey
  /// Zero-extended to 64 bits; only the key's own bytes go out.
  package var value: UInt64

  package init(_ key: UBXKey, _ value: UInt64) { (self.key, self.value) = (key, value) }
  package init(_ key: UBXKey, _ value: Bool) { self.init(key, value ? 1 : 0) }
}

/// Where a setting is kept. Flash is left out on purpose: it wears, and the user would find a
/// changed receiver in the next device.
package struct UBXLayers: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue & 3 }

  package static let ram = UBXLayers(rawValue: 1)
  /// Kept by the backup supply.
  package static let batteryBacked = UBXLayers(rawValue: 2)
}

import GNSS

/// The satellites that an epoch's GSA sentences say were used.
struct UsedSatellites {
  /// As `constellation << 8 | svid`, in the order of the sentences; the first `count` are valid.
  private var keys = [UInt16](repeating: 0, count: Epoch.satelliteCountMax)
  private var count = 0
  /// The same as a bit for each of them, so that each is found at once.
  private var bits = [UInt64](repeating: 0, count: Constellation.allCases.count * 4)

  mutating func removeAll() {
    for key in keys[..<count] { bits[Int(key &>> 6)] = 0 }
    count = 0
  }

  /// - Parameter constellation: Of the system or talker; `nil` if the numbers alone must tell.
  mutating func add(_ sentence: GSA, of constellation: Constellation?) {
    let numbering = SatelliteNumbering(of: constellation)
    bits.withUnsafeMutableBufferPointer { bits in
      keys.withUnsafeMutableBufferPointer { keys in
        sentence.forEachNumber { number in
          guard let (system, svid) = numbering.satellite(number),
            count < keys.count
          else { return }
          let key = Self.key(of: system, svid)
          let (place, bit) = (Int(key &>> 6), UInt64(1) &<< UInt64(key & 63))
          guard bits[place] & bit == 0 else { return }
          bits[place] |= bit
          keys[count] = key
          count &+= 1
        }
      }
    }
  }

  @inline(__always)
  private static func key(of constellation: Constellation, _ svid: UInt8) -> UInt16 {
    UInt16(constellation.number) << 8 | UInt16(svid)
  }

  /// Says of each satellite in view whether it is used.
  func mark(_ satellites: inout [Satellite]) {
    bits.withUnsafeBufferPointer { bits in
      satellites.withUnsafeMutableBufferPointer { satellites in
        var isMeasured = false
        for index in satellites.indices {
          let key = Self.key(of: satellites[index].constellation, satellites[index].svid)
          let isUsed = bits[Int(key >> 6)] &>> UInt64(key & 63) & 1 != 0
          let hasSignal = satellites[index].cn0 != nil
          // What is not tracked is not used, whatever GSA says of a moment before.
          satellites[index].isUsed = isUsed && hasSignal
          isMeasured = isMeasured || hasSignal
        }
        guard !isMeasured else { return }
        for index in satellites.indices {
          let key = Self.key(of: satellites[index].constellation, satellites[index].svid)
          satellites[index].isUsed = bits[Int(key >> 6)] &>> UInt64(key & 63) & 1 != 0
        }
      }
    }
  }

  /// Lists what is used, of receivers that list nothing.
  func append(to satellites: inout [Satellite]) {
    for key in keys[..<count] {
      guard let constellation = Constellation(number: UInt8(key >> 8)) else { continue }
      var satellite = Satellite(
        constellation: constellation, svid: UInt8(truncatingIfNeeded: key))
      satellite.isUsed = true
      satellites.append(satellite)
    }
  }
}

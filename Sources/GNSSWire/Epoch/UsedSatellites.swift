import GNSS

/// The satellites that an epoch's GSA sentences say were used.
struct UsedSatellites {
  /// In the order of the sentences; the first `count` are valid.
  private var listed = [Satellite](
    repeating: Satellite(constellation: .gps, svid: 0), count: Epoch.satelliteCountMax)
  private var count = 0
  /// The same by number: a bit for each system, so that each is found at once.
  private var systems = [UInt8](repeating: 0, count: 256)

  mutating func removeAll() {
    systems.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    count = 0
  }

  /// - Parameter constellation: Of the system or talker; `nil` if the numbers alone must tell.
  @inline(__always)
  mutating func add(_ sentence: GSA, of constellation: Constellation?) {
    let numbering = SatelliteNumbering(of: constellation)
    var end = count
    systems.withUnsafeMutableBufferPointer { systems in
      listed.withUnsafeMutableBufferPointer { listed in
        sentence.forEachNumber { number in
          guard let (system, svid) = numbering.satellite(number), end < listed.count else { return }
          let satellite = Satellite(constellation: system, svid: svid)
          let bit = Self.bit(of: satellite)
          guard systems[Int(svid)] & bit == 0 else { return }
          systems[Int(svid)] |= bit
          listed[end] = satellite
          end &+= 1
        }
      }
    }
    count = end
  }

  @inline(__always)
  private static func bit(of satellite: Satellite) -> UInt8 { 1 &<< satellite.systemNumber }

  /// Says of each satellite in view whether it is used.
  func mark(_ satellites: inout [Satellite]) {
    systems.withUnsafeBufferPointer { systems in
      satellites.withUnsafeMutableBufferPointer { satellites in
        let isUnmeasured: UInt8 = satellites.contains { $0.cn0 != nil } ? 0 : 1
        for index in 0..<satellites.count {
          let satellite = satellites[index]
          // What is not tracked is not used, whatever GSA says of a moment before. All is computed,
          // as a branch would be mispredicted every other time.
          let isListed = systems[Int(satellite.svid)] &>> satellite.systemNumber
          let counts = isUnmeasured | (satellite.cn0 != nil ? 1 : 0)
          satellites[index].isUsed = isListed & counts & 1 != 0
        }
      }
    }
  }

  /// Lists what is used, of receivers that list nothing.
  func append(to satellites: inout [Satellite]) {
    for var satellite in listed[..<count] {
      satellite.isUsed = true
      satellites.append(satellite)
    }
  }
}

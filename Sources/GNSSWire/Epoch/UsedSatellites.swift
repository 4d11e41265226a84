import GNSS

/// The satellites that an epoch's GSA sentences say were used.
struct UsedSatellites {
  /// In the order of the sentences; the first `count` are valid.
  private var listed = [Satellite](
    repeating: Satellite(constellation: .gps, svid: 0), count: Epoch.satelliteCountMax)
  private var count = 0
  /// The same as a bit for each of them, so that each is found at once.
  private var bits = [UInt64](repeating: 0, count: Constellation.allCases.count * 4)

  mutating func removeAll() {
    bits.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    count = 0
  }

  /// - Parameter constellation: Of the system or talker; `nil` if the numbers alone must tell.
  @inline(__always)
  mutating func add(_ sentence: GSA, of constellation: Constellation?) {
    let numbering = SatelliteNumbering(of: constellation)
    var end = count
    bits.withUnsafeMutableBufferPointer { bits in
      listed.withUnsafeMutableBufferPointer { listed in
        sentence.forEachNumber { number in
          guard let (system, svid) = numbering.satellite(number), end < listed.count else { return }
          let satellite = Satellite(constellation: system, svid: svid)
          let place = Place(of: satellite)
          guard bits[place.word] & place.bit == 0 else { return }
          bits[place.word] |= place.bit
          listed[end] = satellite
          end &+= 1
        }
      }
    }
    count = end
  }

  /// Where a satellite has its bit: four words for each system.
  private struct Place {
    let word: Int
    let bit: UInt64

    @inline(__always)
    init(of satellite: Satellite) {
      let svid = satellite.svid
      word = Int(satellite.constellation.rawValue) &<< 2 | Int(svid &>> 6)
      bit = 1 &<< UInt64(svid & 63)
    }
  }

  /// Says of each satellite in view whether it is used.
  func mark(_ satellites: inout [Satellite]) {
    bits.withUnsafeBufferPointer { bits in
      satellites.withUnsafeMutableBufferPointer { satellites in
        let isMeasured = satellites.contains { $0.cn0 != nil }
        for index in satellites.indices {
          let place = Place(of: satellites[index])
          // What is not tracked is not used, whatever GSA says of a moment before.
          let isTracked = satellites[index].cn0 != nil || !isMeasured
          satellites[index].isUsed = bits[place.word] & place.bit != 0 && isTracked
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

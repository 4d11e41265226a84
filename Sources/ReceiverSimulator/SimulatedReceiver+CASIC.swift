import Bytes
import CMath
import GNSS
import ReceiverControl

extension SimulatedReceiver {
  /// NAV-PV, 80 bytes, whose accuracies are variances. Source: CASIC multi-mode satellite
  /// navigation receiver protocol specification 4.2, 2.7.4.
  static func positionFrame(of fix: Fix, runTime: Duration) -> [UInt8] {
    var payload = OutputBuffer(capacity: 80)
    payload.append(littleEndian: UInt32(truncatingIfNeeded: runTime.wholeMilliseconds))
    let valid: UInt8 = fix.hasPosition ? 7 : 0
    payload.append(bytes: [valid, valid, 0, UInt8(clamping: fix.satellitesUsed ?? 0), 0, 0, 0, 0])
    payload.append(single: fix.dop.position ?? 99)
    payload.append(double: fix.position?.longitude ?? 0)
    payload.append(double: fix.position?.latitude ?? 0)
    let separation = (fix.altitudeEllipsoid ?? 0) - (fix.altitudeMSL ?? 0)
    payload.append(single: fix.altitudeEllipsoid ?? 0)
    payload.append(single: separation)
    payload.append(variance: fix.horizontalAccuracy ?? 1e5)
    payload.append(variance: fix.verticalAccuracy ?? 1e5)
    let (speed, course) = (fix.speed ?? 0, fix.course ?? 0)
    payload.append(single: speed * math_cos(course * .pi / 180))
    payload.append(single: speed * math_sin(course * .pi / 180))
    payload.append(single: fix.climb ?? 0)
    payload.append(single: speed)
    payload.append(single: speed)
    payload.append(single: course)
    payload.append(variance: fix.speedAccuracy ?? 1e3)
    payload.append(variance: fix.courseAccuracy ?? 1e3)
    return CASIC.frame(messageClass: 0x01, id: 0x03, payload: payload.bytes)
  }
}

extension OutputBuffer {
  fileprivate mutating func append(single value: Double) {
    append(littleEndian: Float(value).bitPattern)
  }

  fileprivate mutating func append(double value: Double) { append(littleEndian: value.bitPattern) }

  fileprivate mutating func append(variance deviation: Double) {
    append(single: deviation * deviation)
  }
}

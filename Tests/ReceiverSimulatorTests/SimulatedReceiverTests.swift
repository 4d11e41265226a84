import Bytes
import GNSS
import GNSSWire
import Testing

@testable import ReceiverSimulator

/// What the simulator says, understood by the decoder that understands real receivers.
@Suite("Simulated receiver") struct SimulatedReceiverTests {
  static func track(_ name: String) throws -> Track {
    let bytes = try TestFiles.contents(of: "Tests/Captures/\(name).gpx")
    let (reader, isCutShort) = try GPXReaderTests.read(bytes)
    #expect(!isCutShort)
    return try Track(recorded: reader.segments)
  }

  /// The epochs of a track as they are, and as they come out of the decoder.
  static func bothSides(_ track: Track, _ language: TrackReplay.Language, rate: Int = 1)
    -> (sent: [Epoch], bytes: [UInt8], received: [Epoch])
  {
    let replay = TrackReplay(track, language: language, rate: rate)
    var (silent, speaking) = (replay, replay)
    var (sent, received): ([Epoch], [Epoch]) = ([], [])
    var output = OutputBuffer()
    while let epoch = silent.nextEpoch(at: track.start) { sent.append(epoch) }
    while speaking.nextDue != nil { speaking.next(into: &output, at: track.start) }
    var decoder = StreamDecoder(dates: DateSettings())
    let take = { (report: StreamReport) in
      if case .epoch(let epoch) = report { received.append(epoch.pointee) }
    }
    output.withByteView { decoder.decode($0, at: .zero, report: take) }
    decoder.finish(at: .zero, report: take)
    #expect(decoder.counts.noiseByteCount == 0 && decoder.counts.rejected == 0)
    return (sent, output.bytes, received)
  }

  static func isNear(_ left: Double?, _ right: Double?, _ tolerance: Double) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= tolerance
  }

  static let tracks = ["standing-still", "straight-line", "kilometre-jump"]

  @Test("is understood", arguments: tracks, [TrackReplay.Language.nmea, .ubx])
  func understood(name: String, language: TrackReplay.Language) throws {
    let (sent, _, received) = Self.bothSides(try Self.track(name), language, rate: 2)
    #expect(received.count == sent.count)
    // Minutes with five decimals, and 1e-7 degrees; hundredths of metres, and millimetres.
    let isNMEA = language == .nmea
    for (left, right) in zip(sent.map(\.fix), received.map(\.fix)) {
      #expect(left.time == right.time && left.mode == right.mode)
      let degrees = isNMEA ? 0.9e-7 : 0.6e-7
      #expect(Self.isNear(left.position?.latitude, right.position?.latitude, degrees))
      #expect(Self.isNear(left.position?.longitude, right.position?.longitude, degrees))
      #expect(Self.isNear(left.altitudeMSL, right.altitudeMSL, isNMEA ? 0.006 : 0.0006))
      #expect(Self.isNear(left.speed, right.speed, isNMEA ? 0.0003 : 0.0006))
      if left.course != nil { #expect(Self.isNear(left.course, right.course, 0.006)) }
      // GST tells one standard deviation in each direction, to a millimetre.
      #expect(Self.isNear(left.horizontalAccuracy, right.horizontalAccuracy, 0.0015))
      #expect(Self.isNear(left.dop.position, right.dop.position, 0.006))
      #expect(right.status == (isNMEA ? .simulated : .gps))
      #expect(left.satellitesUsed == right.satellitesUsed)
    }
    for (left, right) in zip(sent, received) {
      #expect(left.satellites.map(\.svid).sorted() == right.satellites.map(\.svid).sorted())
      #expect(
        left.satellites.filter(\.isUsed).count == right.satellites.filter(\.isUsed).count)
    }
  }

  @Test("says that it has no fix", arguments: [TrackReplay.Language.nmea, .ubx])
  func withoutFix(language: TrackReplay.Language) throws {
    let track = try Track(recorded: [
      [TrackReplayTests.point(0, 1)], [TrackReplayTests.point(4, 2)],
    ])
    let (_, _, received) = Self.bothSides(track, language)
    #expect(received.map(\.fix.hasPosition) == [true, false, false, false, true])
    #expect(received.allSatisfy { $0.fix.time != nil })
  }

  @Test(
    "sentences keep to the standard",
    arguments: [
      (12.99999999, -3.58021), (-0.00000001, 179.99999999), (-12.5, -0.25), (90, -180), (-90, 180),
    ])
  func sentences(latitude: Double, longitude: Double) throws {
    let track = try Track(recorded: [[TrackReplayTests.point(0, latitude, longitude)]])
    let (_, bytes, received) = Self.bothSides(track, .nmea)
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") {
      #expect(line.utf8.count + 2 <= 82, "\(line)")
      #expect(!line.contains(",-") && !line.contains("60.00000,"), "\(line)")
    }
    let position = try #require(received.first?.fix.position)
    #expect(abs(position.latitude - latitude) < 1e-7)
    let apart = (position.longitude - longitude).remainder(dividingBy: 360)
    #expect(abs(apart) < 1e-7)
  }
}

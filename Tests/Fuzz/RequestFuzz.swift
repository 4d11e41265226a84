import Bytes
import GNSS

@testable import GPSDProtocol

/// Requests come to the same, however TCP cuts them, and a hub answers them all.
enum RequestFuzz {
  static func run(_ input: ByteView) {
    var assembler = RequestAssembler()
    let whole = assembler.take(input)
    var cutter = RequestAssembler()
    var pieces: [Result<Request, RequestError>] = []
    for index in input.indices {
      pieces.append(contentsOf: cutter.take(input.extracting(index..<index + 1)))
    }
    precondition(whole == pieces, "the cut changed a request")

    let now = GPSDHub.Now(
      boottime: Monotonic(nanoseconds: 1_000_000_000), utc: UTCTime(seconds: 1_800_000_000))
    var hub = GPSDHub(release: "fuzz", reduce: { $0 })
    let client = GPSDHub.ClientID(1)
    let mayAll = GPSDHub.Rights(access: .full, mayWrite: true)
    var commands = hub.connected(client, dialect: .gpsd, rights: mayAll)
    commands += hub.received(input, from: client, at: now)
    commands += hub.disconnected(client)
    for case .send(let receivers, let bytes) in commands {
      precondition(receivers == [client] && bytes.suffix(2) == [0x0d, 0x0a])
    }
  }
}

import Bytes
import Testing

@testable import GPSDProtocol

@Suite("Requests") struct RequestTests {
  typealias Outcome = Result<Request, RequestError>

  static let requests: [(text: String, outcomes: [Outcome])] = [
    ("?VERSION;", [.success(.version)]),
    ("?DEVICES;\r\n?POLL;\n", [.success(.devices), .success(.poll)]),
    (
      "?VERSION;?DEVICES;?WATCH;?DEVICE;",
      [
        .success(.version), .success(.devices), .success(.watch(nil)), .success(.device(nil)),
      ]
    ),
    (#"?WATCH={"enable":true,"json":true}"#, [.success(.watch(changes { $0.json = true }))]),
    (
      #"?WATCH={"enable":true}?POLL;"#, [.success(.watch(changes { _ in })), .success(.poll)]
    ),
    (
      #"?WATCH={"enable":false};"# + "\r\n;;\n ?VERSION;",
      [.success(.watch(changes { $0.enable = false })), .success(.version)]
    ),
    (
      #"?WATCH={"raw":2,"nmea":false,"pps":true,"scaled":true,"timing":true,"split24":true,"#
        + #""gst":true}"#,
      [
        .success(
          .watch(
            changes {
              ($0.raw, $0.nmea, $0.pps, $0.scaled) = (.verbatim, false, true, true)
              ($0.timing, $0.split24, $0.gst) = (true, true, true)
            }))
      ]
    ),
    (
      #"?WATCH={"device":"/dev/tty;}\"{","class":"WATCH","later":[{"x":1}],"remote":"a"}"#,
      [.success(.watch(changes { $0.device = "/dev/tty;}\"{" }))]
    ),
    (#"?WATCH={"raw":true,"json":null}"#, [.success(.watch(changes { $0.raw = .off }))]),
    (#"?WATCH= {"raw":1}"#, [.success(.watch(changes { $0.raw = .hex }))]),
    ("?DEVICE={}", [.success(.device(DeviceRequest()))]),
    (
      #"?DEVICE={"path":"/dev/ttyACM0","hexdata":"B5620A04"}"#,
      [
        .success(
          .device(
            request {
              ($0.path, $0.bytes) = ("/dev/ttyACM0", [0xb5, 0x62, 0x0a, 0x04])
            }))
      ]
    ),
    (#"?DEVICE={"bps":9600}"#, [.success(.device(request { $0.isConfiguration = true }))]),
    // A line of something else is no request; neither is white space.
    ("garbage ?VERSION;\n?VERSION;", [.success(.version)]),
    ("\r\n \n\t;\n", []), ("", []), ("?VERSION", []),
  ]

  @Test("in one piece", arguments: requests)
  func whole(text: String, outcomes: [Outcome]) { #expect(assembled([text]) == outcomes) }

  @Test("cut anywhere", arguments: requests)
  func cut(text: String, outcomes: [Outcome]) {
    for index in text.utf8.indices {
      #expect(
        assembled([String(text[..<index]), String(text[index...])]) == outcomes)
    }
    #expect(assembled(text.utf8.map { String(UnicodeScalar($0)) }) == outcomes)
  }

  static let refused: [(text: String, error: RequestError, message: String)] = [
    ("?FOO;", .unrecognised("?FOO;"), "Unrecognized request '?FOO;'"),
    ("?VERSION\r\n", .unrecognised("?VERSION"), "Unrecognized request '?VERSION'"),
    ("?version;", .unrecognised("?version;"), "Unrecognized request '?version;'"),
    ("?POLL={}", .unrecognised("?POLL={}"), "Unrecognized request '?POLL={}'"),
    ("?\n", .unrecognised("?"), "Unrecognized request '?'"),
    ("?WATCH={}", .invalidWatch("an empty object"), "Invalid WATCH: an empty object"),
    ("?WATCH=1;", .invalidWatch("not JSON at byte 2"), "Invalid WATCH: not JSON at byte 2"),
    (
      #"?WATCH={"enable":tru};"#, .invalidWatch("not JSON at byte 14"),
      "Invalid WATCH: not JSON at byte 14"
    ),
    (
      #"?WATCH={"enable":"true"}"#, .invalidWatch("enable is true or false"),
      "Invalid WATCH: enable is true or false"
    ),
    (#"?WATCH={"raw":3}"#, .invalidWatch("raw is 0, 1 or 2"), "Invalid WATCH: raw is 0, 1 or 2"),
    (
      #"?WATCH={"device":1}"#, .invalidWatch("device is a path in quotes"),
      "Invalid WATCH: device is a path in quotes"
    ),
    (
      #"?WATCH={"enable":true"# + "\n", .invalidWatch("the JSON text ends too early"),
      "Invalid WATCH: the JSON text ends too early"
    ),
    (
      #"?DEVICE={"hexdata":"b56"}"#,
      .invalidDevice("hexdata is pairs of hexadecimal digits in quotes"),
      "Invalid DEVICE: hexdata is pairs of hexadecimal digits in quotes"
    ),
    (
      #"?DEVICE={"path":7}"#, .invalidDevice("path is a path in quotes"),
      "Invalid DEVICE: path is a path in quotes"
    ),
  ]

  @Test("refused, and the next one is read", arguments: refused)
  func error(text: String, error: RequestError, message: String) {
    #expect(assembled([text, "?VERSION;"]) == [.failure(error), .success(.version)])
    #expect(error.message == message)
  }

  @Test("the rest of a line behind a request is an error, not silence")
  func trailing() {
    #expect(
      assembled(["?VERSION; garbage\n?VERSION;"]) == [
        .success(.version), .failure(.unrecognised("garbage")), .success(.version),
      ])
  }

  @Test("a long request is refused once, quoted in part and not kept")
  func long() {
    let name = String(repeating: "A", count: 1000)
    #expect(
      assembled(["?\(name);"]) == [
        .failure(.unrecognised("?" + String(repeating: "A", count: 79)))
      ])
    let most = String(repeating: "A", count: RequestAssembler.requestByteCountMax)
    #expect(
      assembled(["?\(most)\(most);?POLL;\n?VERSION;"]) == [.failure(.tooLong), .success(.version)])
    #expect(
      assembled([#"?WATCH={"device":"\#(most)"}"# + "\n?VERSION;"]) == [
        .failure(.tooLong), .success(.version),
      ])
  }

  @Test("random bytes cost neither a trap nor memory")
  func random() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix(state: seed)
    let alphabet = Array(#"?WATCHDEVIPOL={}[]":;,\truefalsn012 .-"#.utf8) + [0, 10, 13, 0xc3, 0xff]
    var assembler = RequestAssembler()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      let outcomes = bytes.withByteView { assembler.take($0) }
      #expect(outcomes.count <= bytes.count, "seed \(seed)")
    }
  }

  private func assembled(_ pieces: [String]) -> [Outcome] {
    var assembler = RequestAssembler()
    return pieces.flatMap { piece in Array(piece.utf8).withByteView { assembler.take($0) } }
  }

  private static func changes(_ set: (inout WatchChanges) -> Void) -> WatchChanges {
    var changes = WatchChanges()
    set(&changes)
    return changes
  }

  private static func request(_ set: (inout DeviceRequest) -> Void) -> DeviceRequest {
    var request = DeviceRequest()
    set(&request)
    return request
  }
}

/// SplitMix64, so that a failure can be repeated from its seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

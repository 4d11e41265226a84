import Bytes

/// What a run of the fuzzer feeds: `--target=NAME` on its command line.
enum FuzzTarget: String, CaseIterable {
  /// Bytes as they come, searched for frames.
  case framer
  /// Streams whose checksums are made to fit, so that the fuzzer need not guess them.
  case nmea, ubx, others
  /// All protocols, live, with pauses, and everything that is written of an epoch.
  case epochs
  /// What clients of the gpsd protocol send.
  case requests
  /// Blocks of a log with records of anybody's making.
  case ring

  /// Traps where the input led to something that must not be.
  func run(_ input: ByteView) {
    switch self {
    case .framer: FramerFuzz.run(input)
    case .nmea: StreamFuzz.run(Repaired.bytes(of: input, protocols: [.nmea]))
    case .ubx: StreamFuzz.run(Repaired.bytes(of: input, protocols: [.ubx]))
    case .others:
      StreamFuzz.run(
        Repaired.bytes(of: input, protocols: [.rtcm3, .casic, .allystar, .skytraq, .sirf]))
    case .epochs: EpochFuzz.run(input)
    case .requests: RequestFuzz.run(input)
    case .ring: RingFuzz.run(input)
    }
  }
}

/// Written before the first input and read only afterwards, by the one thread there is.
nonisolated(unsafe) private var target = FuzzTarget.framer

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
  let prefix = "--target="
  for index in 0..<Int(count.pointee) {
    let argument = String(cString: arguments.pointee[index])
    guard argument.hasPrefix(prefix) else { continue }
    guard let named = FuzzTarget(rawValue: String(argument.dropFirst(prefix.count))) else {
      fatalError("\(argument): no target of that name")
    }
    target = named
  }
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(ByteView(UnsafeRawBufferPointer(start: bytes, count: count)))
  return 0
}

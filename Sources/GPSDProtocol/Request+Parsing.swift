import Bytes

extension Request {
  /// Reads one whole request, from its `?` to its `;` or closing brace.
  init(parsing text: ByteView) throws(RequestError) {
    if text.elementsEqual("?VERSION;") {
      self = .version
    } else if text.elementsEqual("?DEVICES;") {
      self = .devices
    } else if text.elementsEqual("?POLL;") {
      self = .poll
    } else if text.elementsEqual("?WATCH;") {
      self = .watch(nil)
    } else if text.elementsEqual("?DEVICE;") {
      self = .device(nil)
    } else if let object = text.argument(of: "?WATCH=") {
      self = .watch(try WatchChanges(parsing: object))
    } else if let object = text.argument(of: "?DEVICE=") {
      self = .device(try DeviceRequest(parsing: object))
    } else {
      let quoted = text.extracting(0..<min(text.count, RequestError.quotedByteCountMax))
      throw .unrecognised(quoted.text)
    }
  }
}

extension ByteView {
  /// What follows `command`, where the text starts with it.
  fileprivate func argument(of command: StaticString) -> ByteView? {
    let count = command.utf8CodeUnitCount
    guard self.count >= count, extracting(0..<count).elementsEqual(command) else { return nil }
    return extracting(count..<self.count)
  }
}

extension WatchChanges {
  fileprivate init(parsing text: ByteView) throws(RequestError) {
    self.init()
    for member in try text.members(orThrow: RequestError.invalidWatch) {
      switch member.name {
      case "enable": enable = try Self.flag(member) ?? true
      case "json": json = try Self.flag(member)
      case "nmea": nmea = try Self.flag(member)
      case "raw": raw = try Self.rawMode(member.value)
      case "scaled": scaled = try Self.flag(member) ?? false
      case "split24": split24 = try Self.flag(member) ?? false
      case "timing": timing = try Self.flag(member) ?? false
      case "pps": pps = try Self.flag(member) ?? false
      case "gst": gst = try Self.flag(member) ?? false
      case "device": device = try Self.device(member.value)
      default: break  // newer clients know keys that we do not
      }
    }
  }

  private static func flag(_ member: JSONMember) throws(RequestError) -> Bool? {
    if member.value == .null { return nil }
    guard let flag = member.value.bool else {
      throw .invalidWatch("\(member.name) is true or false")
    }
    return flag
  }

  /// gpsd takes `true` here, and takes it as 0.
  private static func rawMode(_ value: JSONValue) throws(RequestError) -> RawMode? {
    switch value {
    case .null: return nil
    case .bool: return .off
    case .integer(let number):
      guard let number = Int(exactly: number), let mode = RawMode(rawValue: number) else { break }
      return mode
    default: break
    }
    throw .invalidWatch("raw is 0, 1 or 2")
  }

  private static func device(_ value: JSONValue) throws(RequestError) -> String? {
    if value == .null { return nil }
    guard let path = value.string else { throw .invalidWatch("device is a path in quotes") }
    return path.isEmpty ? nil : path
  }
}

extension DeviceRequest {
  fileprivate init(parsing text: ByteView) throws(RequestError) {
    self.init()
    for member in try text.members(orThrow: RequestError.invalidDevice, orEmpty: true) {
      switch member.name {
      case "path":
        guard let path = member.value.string else {
          throw .invalidDevice("path is a path in quotes")
        }
        self.path = path.isEmpty ? nil : path
      case "hexdata":
        guard let bytes = member.value.string.flatMap(Self.bytes(hex:)) else {
          throw .invalidDevice("hexdata is pairs of hexadecimal digits in quotes")
        }
        self.bytes = bytes
      case "bps", "parity", "stopbits", "cycle", "native": isConfiguration = true
      default: break
      }
    }
  }

  private static func bytes(hex text: String) -> [UInt8]? {
    let digits = text.map { $0.isASCII ? $0.hexDigitValue : nil }
    guard !digits.isEmpty, digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}

extension ByteView {
  /// The members of the object that the text must be. gpsd refuses an empty one in `?WATCH`.
  fileprivate func members(
    orThrow refusal: (String) -> RequestError, orEmpty: Bool = false
  ) throws(RequestError) -> [JSONMember] {
    let value: JSONValue
    do { value = try JSONReader.value(of: self) } catch { throw refusal(error.message) }
    guard case .object(let members) = value else { throw refusal("not an object") }
    guard orEmpty || !members.isEmpty else { throw refusal("an empty object") }
    return members
  }
}

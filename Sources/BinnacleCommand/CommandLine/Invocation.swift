/// What was typed behind the subcommand's name, checked against its options.
struct Invocation: Sendable {
  let subcommand: Subcommand
  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  /// Options may stand anywhere, as `--key value` or `--key=value`; `--` ends them. A lone `-` is
  /// an operand.
  init(of subcommand: Subcommand, parsing arguments: [String]) throws(CommandError) {
    self.subcommand = subcommand
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if argument == "--" {
        operands += arguments[index...]
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let body = argument.drop { $0 == "-" }
      let key = String(body.prefix { $0 != "=" })
      let inline = body.count > key.count ? String(body.dropFirst(key.count + 1)) : nil
      guard argument.hasPrefix("--"),
        let option = subcommand.options.first(where: { $0.name == key })
      else { throw unknown(argument) }
      guard option.valueName != nil else {
        guard inline == nil else { throw .usage("--\(key) takes no value") }
        try add("", to: option)
        continue
      }
      if let inline {
        try add(inline, to: option)
      } else if index < arguments.count {
        try add(arguments[index], to: option)
        index += 1
      } else {
        throw .usage("--\(key) needs a value: --\(key) \(option.valueName ?? "VALUE")")
      }
    }
  }

  private mutating func add(_ value: String, to option: Option) throws(CommandError) {
    guard option.isRepeatable || values[option.name] == nil else {
      throw .usage("--\(option.name) is given twice")
    }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      throw .usage(
        "--\(option.name) \(value): unknown; it takes \(option.choices.joined(separator: ", "))")
    }
    values[option.name, default: []].append(value)
  }

  private func unknown(_ argument: String) -> CommandError {
    .usage("\(argument): unknown option; see 'binnacle \(subcommand.name) --help'")
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  func value(_ name: String) -> String? { values[name]?.last }
  func allValues(_ name: String) -> [String] { values[name] ?? [] }

  /// A whole number within `range`.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds = "\(range.lowerBound) to \(range.upperBound)"
      throw .usage("--\(name) \(text): not a whole number from \(bounds)")
    }
    return number
  }

  /// A decimal number within `range`.
  func number(_ name: String, in range: ClosedRange<Double>) throws(CommandError) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      let bounds = "\(range.lowerBound) to \(range.upperBound)"
      throw .usage("--\(name) \(text): not a number from \(bounds)")
    }
    return number
  }

  /// Refuses operands where the subcommand takes none.
  func expectNoOperands() throws(CommandError) {
    if let operand = operands.first {
      throw .usage("\(operand): unexpected; 'binnacle \(subcommand.name)' takes no operands")
    }
  }
}

/// What was asked for.
struct Options {
  /// How often each contender runs; medians are of so many values.
  var rounds = 5
  /// The numbers of the goals to measure.
  var goals = Set(1...16)
  var isJSON = false
  /// Where recorded logs of real receivers lie; `nil`: none.
  var corpus: String?

  static let roundRange = 1...99

  static let help = """
    usage: binnacle-bench [--rounds N] [--goals P1,P3] [--format text|json] [--corpus DIR]

    Measures Binnacle and its peers in turn, on the same bytes and the same machine, and tells for
    each goal P1 to P16 what was reached, the gate (what must hold) and the target. Only the ratios
    mean something: the figures of either side swing with the machine and what else it does.

      --rounds N      each contender runs so often, in turn with the others; default 5
      --goals LIST    only these, as P1,P3 or 1,3
      --format FORMAT text or json; default text
      --corpus DIR    recorded logs of receivers (gpsd's test/daemon), besides those made here
      --help          this text

    Peers are Debian's gpsd, gpsd-clients, gpsd-tools, gpsbabel and sqlite3, and PyPI's
    pynmeagps and pyubx2; instructions are counted with valgrind, writes with strace. What is
    missing is named.

    """

  /// `nil` where only the help is wanted.
  init?(_ arguments: [String]) throws(BenchError) {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if argument == "--help" || argument == "-h" { return nil }
      let key = String(argument.prefix { $0 != "=" })
      var value = argument.count > key.count ? String(argument.dropFirst(key.count + 1)) : nil
      index += 1
      if value == nil, index < arguments.count {
        value = arguments[index]
        index += 1
      }
      guard let value else { throw BenchError("\(argument): needs a value", isUsage: true) }
      try set(key, value)
    }
  }

  private mutating func set(_ key: String, _ value: String) throws(BenchError) {
    switch (key, value) {
    case ("--rounds", _):
      guard let count = Int(value), Self.roundRange.contains(count) else {
        throw BenchError("--rounds \(value): not a number from 1 to 99", isUsage: true)
      }
      rounds = count
    case ("--goals", _):
      goals = []
      for part in value.split(separator: ",") {
        let digits = part.first == "P" || part.first == "p" ? part.dropFirst() : part
        guard let number = Int(digits), (1...16).contains(number) else {
          throw BenchError("--goals \(part): not one of P1 to P16", isUsage: true)
        }
        goals.insert(number)
      }
    case ("--format", "json"): isJSON = true
    case ("--format", "text"): isJSON = false
    case ("--corpus", _): corpus = value
    default: throw BenchError("\(key) \(value): unknown; see --help", isUsage: true)
    }
  }
}

/// Whom a rule of the policy is about.
package enum Subject: Hashable, Sendable {
  /// A user, by name or number.
  case user(String)
  case group(String)
  /// A program, by the name that it gives itself. Any program of a user may give any name: a rule
  /// for a client sorts the programs of a user that is trusted, it keeps out nobody else.
  case client(String)

  /// As in the policy file: `user pi`.
  package var text: String {
    switch self {
    case .user(let name): "user \(name)"
    case .group(let name): "group \(name)"
    case .client(let name): "client \(name)"
    }
  }
}

/// What a rule says.
package struct Verdict: Equatable, Sendable {
  /// Raw values stand in the state file.
  package enum Access: UInt8, CaseIterable, Sendable {
    /// Not allowed, and a grant cannot change it.
    case restrict = 0
    /// Not allowed until an administrator grants it.
    case deny = 1
    /// As `deny`, but the client waits for an answer.
    case ask = 2
    /// While the client is connected.
    case allow = 3
    /// Also when it is not: standing sessions and monitors.
    case always = 4
  }

  package var access: Access
  /// Only roughly.
  package var isReduced = false
  /// Whether full accuracy is given for a time to a client that states a purpose.
  package var mayAskFullAccuracy = false

  package init(_ access: Access, isReduced: Bool = false, mayAskFullAccuracy: Bool = false) {
    (self.access, self.isReduced) = (access, isReduced)
    self.mayAskFullAccuracy = mayAskFullAccuracy
  }

  /// As in the policy file: `always reduced`.
  package var text: String {
    "\(access)" + (isReduced ? " reduced" : "") + (mayAskFullAccuracy ? " temporary" : "")
  }
}

/// What the administrator laid down in the policy file.
package struct Policy: Equatable, Sendable {
  /// The switch for the whole system.
  package var isEnabled = true
  /// Whether a client needs a session of its own before it may ask for anything else.
  package var requiresSession = false
  /// For whom no rule is.
  package var fallback = Verdict(.deny)
  /// The same for clients of the gpsd protocol, those of other machines too, whose user nobody
  /// knows; `nil`: as for others.
  package var gpsdFallback: Verdict?
  package var rules: [Subject: Verdict] = [:]

  package init() {}

  /// Without a policy file: the members of the group `binnacle` may do everything, others nothing,
  /// except that clients of the gpsd protocol are served as gpsd serves them.
  package static let standard: Policy = {
    var policy = Policy()
    policy.gpsdFallback = Verdict(.allow)
    policy.rules[.group("binnacle")] = Verdict(.always)
    return policy
  }()

  /// More rules than this are no policy of ours.
  package static let ruleCountMax = 10_000
}

/// What is wrong in a policy file, and where.
package struct PolicyError: Error, Equatable, Sendable {
  package var path: String
  /// 0 for the file as a whole.
  package var line: Int
  package var problem: String

  package init(path: String, line: Int, problem: String) {
    (self.path, self.line, self.problem) = (path, line, problem)
  }

  package var message: String { "\(path):\(line): \(problem)" }
}

/// The text form, a rule a line:
///
///     location on                     # or off: nobody is located
///     require-session no
///     default deny
///     gpsd allow                      # clients of the gpsd protocol without a rule
///     user pi always
///     group gps allow
///     client com.example.map reduced temporary
extension Policy {
  /// Reads a file's text; `path` is for the errors only.
  package init(_ text: String, path: String) throws(PolicyError) {
    self.init()
    var number = 0
    for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let words = raw.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard let keyword = words.first else { continue }
      do {
        try read(keyword, words.dropFirst())
      } catch {
        throw PolicyError(path: path, line: number, problem: error.problem)
      }
    }
  }

  private struct LineError: Error {
    var problem: String
  }

  private mutating func read(
    _ keyword: Substring, _ words: ArraySlice<Substring>
  ) throws(LineError) {
    switch keyword {
    case "location":
      isEnabled = try Self.choice(keyword, words, ["on": true, "off": false])
    case "require-session":
      requiresSession = try Self.choice(keyword, words, ["yes": true, "no": false])
    case "default":
      fallback = try Self.verdict(words)
    case "gpsd":
      gpsdFallback = try Self.verdict(words)
    case "user", "group", "client":
      guard let name = words.first.map(String.init) else {
        throw LineError(problem: "\(keyword): needs a name, as '\(keyword) NAME allow'")
      }
      let subject: Subject =
        keyword == "user" ? .user(name) : keyword == "group" ? .group(name) : .client(name)
      guard rules[subject] == nil else {
        throw LineError(problem: "\(subject.text): has a rule already")
      }
      guard rules.count < Self.ruleCountMax else {
        throw LineError(problem: "more than \(Self.ruleCountMax) rules")
      }
      rules[subject] = try Self.verdict(words.dropFirst())
    default:
      throw LineError(
        problem: "'\(keyword)': unknown; there are location, require-session, default, gpsd, "
          + "user, group, client")
    }
  }

  private static func choice(
    _ keyword: Substring, _ words: ArraySlice<Substring>, _ values: [String: Bool]
  ) throws(LineError) -> Bool {
    guard words.count == 1, let word = words.first, let value = values[String(word)] else {
      throw LineError(
        problem: "\(keyword): '\(words.joined(separator: " "))' is not "
          + values.keys.sorted().joined(separator: " or "))
    }
    return value
  }

  private static func verdict(_ words: ArraySlice<Substring>) throws(LineError) -> Verdict {
    do {
      return try Verdict(words: words)
    } catch {
      throw LineError(problem: error.problem)
    }
  }
}

/// What is wrong in the words of a verdict.
package struct VerdictError: Error, Equatable, Sendable {
  package var problem: String
}

extension Verdict {
  /// Reads `allow`, `always reduced`, …; `reduced` alone means `allow reduced`.
  package init(words: some Sequence<Substring>) throws(VerdictError) {
    var access: Access?
    self.init(.allow)
    for word in words {
      switch word {
      case "reduced": isReduced = true
      case "temporary": mayAskFullAccuracy = true
      default:
        guard access == nil, let named = Access.allCases.first(where: { "\($0)" == word }) else {
          throw VerdictError(
            problem: "'\(word)' is not allow, always, reduced, temporary, ask, deny or restrict")
        }
        access = named
      }
    }
    guard access != nil || isReduced else {
      throw VerdictError(
        problem: "says nothing; give allow, always, reduced, ask, deny or restrict")
    }
    self.access = access ?? .allow
    guard self.access.rawValue >= Access.ask.rawValue || !isReduced else {
      throw VerdictError(problem: "'\(self.access) reduced': nothing is left to reduce")
    }
    guard isReduced || !mayAskFullAccuracy else {
      throw VerdictError(problem: "'temporary' goes with reduced")
    }
  }
}

import GNSS
import Testing

@testable import LocationServices

@Suite("Policy") struct PolicyTests {
  static let home = Coordinate(latitude: 48.1, longitude: 11.6)

  private func authorization(
    _ lines: String, _ credentials: Credentials
  ) throws -> Authorization {
    try ServiceHarness(policy: lines).service.authorization(for: credentials, at: .test(0))
  }

  @Test("the file's rules are read, and an error names the line and what is valid")
  func file() throws {
    let policy = try Policy(
      """
      # Who may know where the boat is.
      location on
      default ask
      user pi always            # the owner
      group crew reduced temporary
      client map allow
      """, path: "policy")
    #expect(policy.fallback == Verdict(.ask))
    #expect(policy.rules[.user("pi")] == Verdict(.always))
    #expect(
      policy.rules[.group("crew")] == Verdict(.allow, isReduced: true, mayAskFullAccuracy: true))
    #expect(policy.rules.count == 3)
    let wrong: [(String, Int, String)] = [
      ("location maybe", 1, "off or on"), ("\n\nuser", 3, "NAME"), ("usr pi allow", 1, "group"),
      ("user pi perhaps", 1, "restrict"), ("user pi", 1, "allow"),
      ("user pi allow\nuser pi deny", 2, "already"), ("user pi deny reduced", 1, "reduce"),
      ("user pi allow temporary", 1, "reduced"), ("require-session 1", 1, "yes"),
      ("default", 1, "allow"),
    ]
    for (text, line, hint) in wrong {
      #expect(throws: PolicyError.self, "\(text)") { try Policy(text, path: "p") }
      do {
        _ = try Policy(text, path: "p")
      } catch {
        #expect(error.line == line && error.message.contains(hint), "\(error.message)")
      }
    }
  }

  @Test("client goes before user, user before group; of groups the strictest; root may")
  func precedence() throws {
    let lines = """
      default deny
      client map always
      user guest reduced
      group users allow
      group sailors deny
      """
    var client = Credentials(
      userID: 7, userName: "x", groups: ["users", "sailors"], clientName: "map")
    #expect(try authorization(lines, client).status == .authorizedAlways)
    client.clientName = nil
    #expect(try authorization(lines, client).status == .denied)
    client.groups = ["users"]
    #expect(try authorization(lines, client).status == .authorizedWhenInUse)
    client.groups = []
    #expect(try authorization(lines, client).status == .denied)
    #expect(try authorization(lines, .guest).isReduced)
    #expect(try authorization(lines, .root).status == .authorizedAlways)
    #expect(try authorization("user 7 allow", client).status == .authorizedWhenInUse)
    #expect(try authorization("location off", .root).isGloballyOff)
    #expect(try authorization("default restrict", .guest).status == .restricted)
    #expect(try authorization("default ask", .guest).status == .notDetermined)
  }

  @Test("a session that is denied waits, gets its reason, and runs once it is granted")
  func grantAndRevoke() throws {
    var harness = try ServiceHarness(policy: "default deny")
    harness.handle(.connected(9, .root), at: .test(0))
    harness.open(SessionOptions(), 1, as: .guest)
    #expect(harness.diagnostics(1) == [.authorizationDenied])
    harness.fix(Self.home, seconds: 1)
    #expect(harness.locations(1).isEmpty)
    #expect(harness.demands.allSatisfy { $0 == nil })
    let grant = Request.administer(.grant(.user("guest"), Verdict(.allow)))
    guard case .refused? = harness.ask(grant, 1, seconds: 2) else {
      Issue.record("a guest granted himself")
      return
    }
    #expect(harness.audits.last?.kind == .attemptRefused)
    #expect(harness.ask(grant, 9, seconds: 3) == .done)
    #expect(harness.audits.last?.kind == .granted)
    #expect(harness.diagnostics(1).last == [])
    harness.fix(Self.home, seconds: 4)
    #expect(harness.locations(1).count == 1)
    try harness.restart(at: .test(5))
    #expect(
      harness.service.authorization(for: .guest, at: .test(5)).status == .authorizedWhenInUse)
    harness.handle(.connected(9, .root), at: .test(6))
    harness.open(SessionOptions(), 1, as: .guest, seconds: 6)
    #expect(harness.ask(.administer(.revoke(.user("guest"))), 9, seconds: 7) == .done)
    harness.fix(Self.home, seconds: 8)
    #expect(harness.locations(1).count == 1)
    #expect(harness.demands.last == .some(nil))
  }

  @Test("what the file restricts no grant changes, and what is off is off for all")
  func restrictedAndOff() throws {
    var harness = try ServiceHarness(policy: "default allow\nuser guest restrict")
    harness.handle(.connected(9, .root), at: .test(0))
    guard
      case .refused? = harness.ask(.administer(.grant(.user("guest"), Verdict(.always))), 9)
    else {
      Issue.record("granted")
      return
    }
    harness.open(SessionOptions(), 1, as: .guest)
    #expect(harness.diagnostics(1) == [.authorizationRestricted])
    harness.open(SessionOptions(), 2, as: .pi)
    harness.ask(.requestLocation(.init()), 2)
    harness.ask(.administer(.setEnabled(false)), 9)
    #expect(harness.diagnostics(2).last == .authorizationDeniedGlobally)
    guard case .refused(let error)? = harness.answers.dropLast().last?.answer else {
      Issue.record("the waiting request was not refused")
      return
    }
    #expect(error.code == .denied && error.message.contains("off"))
    #expect(harness.demands.last == .some(nil))
    #expect(harness.audits.last?.kind == .switchedOff)
    harness.ask(.administer(.setEnabled(nil)), 9)
    #expect(harness.diagnostics(2).last == [])
  }

  @Test("asking is told as in progress; a standing session needs always; a session may be required")
  func diagnostics() throws {
    var harness = try ServiceHarness(
      policy: "default ask\nuser pi allow\nrequire-session yes")
    harness.open(SessionOptions(), 1, as: .guest)
    #expect(harness.diagnostics(1) == [.authorizationRequestInProgress])
    var standing = SessionOptions()
    (standing.isStanding, standing.name) = (true, "night")
    harness.handle(.connected(2, .pi), at: .test(0))
    guard case .refused(let error)? = harness.ask(.requestLocation(.init()), 2) else {
      Issue.record("answered without a session")
      return
    }
    #expect(error.message.contains("serviceSessionRequired"))
    harness.open(standing, 2, as: .pi)
    #expect(harness.diagnostics(2) == [.insufficientlyInUse])
    #expect(harness.ask(.requestLocation(.init()), 2) == nil)
    harness.handle(.disconnected(2), at: .test(1))
    #expect(harness.service.sessions.count == 1)
    #expect(
      Diagnostics.accuracyLimited.union(.locationUnavailable).names
        == ["accuracyLimited", "locationUnavailable"])
  }

  @Test("full accuracy for a purpose ends by itself, and is written to the audit trail")
  func temporary() throws {
    var harness = try ServiceHarness(policy: "user guest reduced temporary\nuser pi reduced")
    var session = SessionOptions()
    (session.wantsFullAccuracy, session.purpose) = (true, "to dock")
    session.filter = .everyEpoch
    harness.open(session, 1, as: .guest)
    #expect(harness.audits.last?.kind == .fullAccuracyGranted)
    #expect(harness.audits.last?.detail.contains("to dock") == true)
    harness.fix(Self.home, seconds: 1)
    #expect(harness.locations(1).map(\.isReduced) == [false])
    let end = Double(Authorizations.temporarySpanMax.components.seconds)
    harness.passTime(to: .test(end))
    #expect(harness.audits.last?.kind == .fullAccuracyEnded)
    #expect(harness.diagnostics(1).last == .accuracyLimited)
    harness.fix(Self.home, seconds: end + 1)
    #expect(harness.locations(1).last?.isReduced == true)
    // Without that word in the policy an administrator is asked.
    harness.open(session, 2, as: .pi, seconds: end + 2)
    #expect(harness.audits.last?.kind == .fullAccuracyAsked)
    #expect(harness.diagnostics(2) == [.accuracyLimited])
    harness.handle(.connected(9, .root), at: .test(end + 2))
    let grant = PolicyChange.grantFullAccuracy(
      Owner(userID: 1000, clientName: ""), purpose: "to dock", .seconds(60))
    #expect(harness.ask(.administer(grant), 9, seconds: end + 3) == .done)
    harness.fix(Self.home, seconds: end + 4)
    #expect(harness.locations(2).last?.isReduced == false)
  }
}

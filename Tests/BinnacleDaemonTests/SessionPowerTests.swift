import GNSS
import LocationServices
import ReceiverControl
import ReceiverSimulator
import Testing

@testable import BinnacleDaemon

/// Sessions, the duty cycle and a simulated receiver together.
@Suite("Sessions and power") struct SessionPowerTests {
  /// The location services in front of a board's core, as the daemon joins them.
  private struct Scene {
    var board: SimulatedBoard
    var service = LocationService()
    /// The fixes that each client was told of.
    var told: [ClientID: Int] = [:]

    init() throws {
      board = try SimulatedBoard(try ReceiverCycleTests.kind("ublox-m10"), demand: nil)
      perform(service.start(at: now))
      for client: ClientID in 1...2 {
        handle(.connected(client, Credentials(userID: 0)))
      }
    }

    private var now: LocationServices.Now {
      LocationServices.Now(
        boottime: board.now, time: SimulatedBoard.start + (board.now - .zero))
    }

    mutating func handle(_ event: LocationService.Event) {
      perform(service.handle(event, at: now))
    }

    mutating func open(_ tier: Tier, _ client: ClientID) {
      var options = SessionOptions()
      options.tier = tier
      options.pausesAutomatically = false
      handle(.asked(.openSession(options), client, client))
    }

    private mutating func perform(_ commands: [LocationService.Command]) {
      for command in commands {
        switch command {
        case .wantReceiver(let demand):
          board.perform(board.core.want(demand, at: board.clocks))
        case .deliver(.location, .session(_, let client)): told[client, default: 0] += 1
        default: break
        }
      }
    }

    /// Lets time pass, and hands every fix to the services.
    mutating func run(_ span: Duration, until isDone: (Scene) -> Bool = { _ in false }) {
      let end = board.now + span
      while board.now < end, !isDone(self) {
        let count = board.fixCount
        board.run(min(end - board.now, .seconds(5))) { $0.fixCount > count }
        if board.fixCount > count, let fix = board.lastFix?.fix { handle(.fix(fix)) }
      }
    }
  }

  @Test(
    "the stricter of two sessions keeps the receiver awake; when it ends, the other's pace holds")
  func stacked() throws {
    var scene = try Scene()
    scene.open(.kilometer, 1)
    scene.open(.bestForNavigation, 2)
    scene.run(.seconds(240)) { $0.told[2] ?? 0 > 20 }
    scene.told = [:]
    scene.run(.seconds(120))
    #expect(scene.board.pilot?.sleeping == nil)
    // Each gets its own rate: one fix a second, and none for who has not moved 500 m.
    #expect((110...125).contains(scene.told[2] ?? 0))
    #expect(scene.told[1] ?? 0 <= 1)
    scene.handle(.disconnected(2))
    // Within one period of the tier it sleeps again, and goes on in that rhythm.
    let period = DutyPolicy.policy(for: .kilometer).longest
    let ended = scene.board.now
    scene.run(period) { $0.board.pilot?.sleeping != nil }
    #expect(scene.board.pilot?.sleeping != nil)
    #expect(scene.board.now - ended <= period)
    let count = scene.board.fixCount
    scene.run(DutyPolicy.policy(for: .kilometer).resting * 2)
    #expect((1...60).contains(scene.board.fixCount - count))
    scene.handle(.disconnected(1))
    scene.run(.seconds(60))
    #expect(scene.board.pilot?.sleeping != nil && scene.board.core.demand == nil)
  }
}

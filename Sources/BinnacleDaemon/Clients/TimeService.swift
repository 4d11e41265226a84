import GNSS
import GPSDProtocol
import Glibc
import LinuxIO

/// Hands what the receivers tell of the time to chronyd and ntpd, and sets the clock where asked
/// to. What counts is the keepers' to decide.
package final class TimeService {
  /// One object for each receiver: changed in place at each epoch.
  private final class Source {
    var keeper: TimeKeeper
    var pulses: PulseSource?
    /// When a pulse device is looked for again.
    var nextSearch = Monotonic.zero

    init(_ keeper: TimeKeeper) { self.keeper = keeper }
  }

  /// A port's pulse device may appear later than the port.
  private static let searchPeriod = Duration.seconds(60)
  /// A receiver that serves the outputs which take but one gives them up after this silence.
  private static let leaderPatience = Duration.seconds(10)

  private let configuration: Configuration.Time
  private let socket: ChronySocket?
  private var sources: [String: Source] = [:]
  /// The receiver that serves explicit paths and the shared memory.
  private var leader: (path: String, last: Monotonic)?
  private var memory: [Int: NTPSharedMemory] = [:]
  private var memoryFailed = false
  private var hasStepped = false
  /// Whether the last sample for this path was taken.
  private var isHeard: [String: Bool] = [:]
  private var lines: [String] = []

  package init(_ configuration: Configuration.Time) {
    self.configuration = configuration
    socket = try? ChronySocket()
  }

  /// A receiver's port was opened.
  /// - Parameter descriptor: Of the port, for its carrier detect line.
  package func opened(_ path: String, descriptor: CInt) -> [String] {
    sources[path] = Source(
      TimeKeeper(
        device: path, mayStep: configuration.setsClock && !hasStepped,
        acceptsSimulated: configuration.acceptsSimulated))
    if configuration.pulseLine == .carrierDetect {
      do throws(Errno) { try PulseSource.attach(toLineOf: descriptor) } catch {
        lines.append("\(path): no pulse from its carrier detect line: \(error.text)")
      }
    }
    return takeLines()
  }

  package func closed(_ path: String) {
    sources[path] = nil
    if leader?.path == path { leader = nil }
  }

  /// Takes an epoch of a receiver in.
  /// - Returns: Pulses to tell the clients of the gpsd protocol, and lines for the journal.
  package func epoch(
    _ epoch: Epoch, from path: String, at now: Now
  ) -> (pulses: [ClockSample], lines: [String]) {
    guard let source = sources[path] else { return ([], []) }
    findPulses(of: source, path, at: now.monotonic)
    let pulse = source.pulses?.last(configuration.edge)
    let commands = source.keeper.epoch(epoch, pulse: pulse, at: now)
    var pulses: [ClockSample] = []
    for command in commands {
      switch command {
      case .sample(let sample): tell(sample, isPulse: false, at: now.monotonic)
      case .pulse(let sample):
        tell(sample, isPulse: true, at: now.monotonic)
        pulses.append(sample)
      case .step(let step): setClock(ahead: step)
      }
    }
    return (pulses, takeLines())
  }

  // MARK: Outputs

  private func tell(_ sample: ClockSample, isPulse: Bool, at now: Monotonic) {
    let isLeader = lead(sample.device, at: now)
    let target = isPulse ? configuration.chronyPulse : configuration.chrony
    switch target {
    case .none: break
    case .path(let path): if isLeader { send(sample, to: path) }
    case .automatic:
      let name = sample.device.split(separator: "/").last ?? ""
      send(sample, to: isPulse ? "/run/chrony.\(name).sock" : "/run/chrony.clk.\(name).sock")
    }
    guard isLeader, let unit = configuration.sharedMemory else { return }
    sharedMemory(isPulse ? unit + 1 : unit)?
      .send(real: sample.real, clock: sample.clock, precision: sample.precision)
  }

  private func lead(_ path: String, at now: Monotonic) -> Bool {
    if let leader, leader.path != path, now - leader.last < Self.leaderPatience { return false }
    leader = (path, now)
    return true
  }

  private func send(_ sample: ClockSample, to path: String) {
    do throws(Errno) {
      try socket?.send(real: sample.real, clock: sample.clock, to: path)
      if isHeard[path] != true {
        lines.append("\(path): chronyd takes the time of \(sample.device)")
      }
      isHeard[path] = true
    } catch {
      // That there is no chronyd is no news at the start.
      let isAbsent = error == .noSuchFile || error == .connectionRefused
      if isHeard[path] == true || (isHeard[path] == nil && !isAbsent) {
        lines.append("\(path): chronyd does not take the time: \(error.text)")
      }
      isHeard[path] = false
    }
  }

  private func sharedMemory(_ unit: Int) -> NTPSharedMemory? {
    if let known = memory[unit] { return known }
    guard !memoryFailed else { return nil }
    do throws(Errno) { memory[unit] = try NTPSharedMemory(unit: unit) } catch {
      memoryFailed = true
      lines.append("NTP shared memory unit \(unit): \(error.text)")
    }
    return memory[unit]
  }

  private func setClock(ahead step: Duration) {
    hasStepped = true
    do throws(Errno) {
      try Clocks.set(Clocks.utc() + step)
      lines.append("the system's clock was set ahead by \(step.inSeconds) s")
    } catch {
      lines.append("the system's clock is \(step.inSeconds) s behind but not set: \(error.text)")
    }
  }

  // MARK: Pulses

  private func findPulses(of source: Source, _ path: String, at now: Monotonic) {
    guard source.pulses == nil, source.nextSearch <= now else { return }
    source.nextSearch = now + Self.searchPeriod
    let device: String?
    switch configuration.pulseLine {
    case .none: device = nil
    case .path(let path): device = path
    case .automatic, .carrierDetect: device = PulseSource.device(ofTerminal: path)
    }
    guard let device else { return }
    do throws(Errno) {
      source.pulses = try PulseSource(path: device)
      lines.append("\(path): its pulse is seen at \(device)")
    } catch {
      lines.append("\(device): \(error.text)")
    }
  }

  private func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }
}

import Bytes
import LinuxIO
import LocationServices

/// Keeps what the location services must not forget: the state file, and a thread that may wait for
/// the medium.
package final class StateKeeper {
  /// A longer file is none of ours.
  package static let fileByteCountMax = 256 << 20
  /// Bytes that wait while the medium is busy; more count as failed, and the file is written anew
  /// later.
  private static let waitingByteCountMax = 64 << 20

  private struct Job: Sendable {
    var write: LocationService.StateWrite
    /// Where the file must end for an append.
    var offset: Int
    var ticket: UInt64

    var byteCount: Int {
      switch write {
      case .append(let bytes), .replace(let bytes): bytes.count
      }
    }

    /// Both as one.
    func followed(by next: Job) -> Job {
      guard case .append(let more) = next.write else { return next }
      switch write {
      case .append(let bytes):
        return Job(write: .append(bytes + more), offset: offset, ticket: next.ticket)
      case .replace(let bytes):
        return Job(write: .replace(bytes + more), offset: offset, ticket: next.ticket)
      }
    }
  }

  private struct Outcome: Sendable {
    var ticket: UInt64
    var error: Errno?
  }

  private let file: StateFile
  private let thread: CommitThread<Job, Outcome>
  private var byteCount = 0
  private var isWriting = false
  /// All that came while the medium was busy, as one write.
  private var waiting: Job?
  private var isFailing = false
  /// A failure that no outcome will tell of.
  private var hasRefused = false

  package init(path: String, notify: @escaping @Sendable () -> Void) throws(Errno) {
    let file = StateFile(path: path)
    self.file = file
    thread = try CommitThread(queueMax: 1, notify: notify) { job in
      do throws(Errno) {
        switch job.write {
        case .append(let bytes): try file.append(bytes, at: job.offset)
        case .replace(let bytes): try file.replace(bytes)
        }
        return Outcome(ticket: job.ticket)
      } catch {
        return Outcome(ticket: job.ticket, error: error)
      }
    }
  }

  /// What the file holds. One that cannot be understood is set aside under the name
  /// `...unreadable`, and all begins anew: the daemon runs on.
  /// - Returns: The entries, and what is to be said of the file.
  package func read() -> (entries: [StateEntry], problem: String?) {
    let bytes: [UInt8]
    do throws(Errno) { bytes = try file.read(byteCountMax: Self.fileByteCountMax) } catch {
      return ([], setAside("cannot be read: \(error.text)"))
    }
    guard !bytes.isEmpty else { return ([], nil) }
    do throws(StateError) {
      let contents = try Self.contents(bytes)
      guard contents.damagedByteCount > 0 else { return (contents.entries, nil) }
      return (
        contents.entries,
        "\(file.path): its last \(contents.damagedByteCount) bytes were cut short and are dropped"
      )
    } catch {
      return ([], setAside(error.message))
    }
  }

  private static func contents(_ bytes: [UInt8]) throws(StateError) -> StateJournal.Contents {
    let outcome = bytes.withByteView { view -> Result<StateJournal.Contents, StateError> in
      do throws(StateError) { return .success(try StateJournal.read(view)) } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private func setAside(_ problem: String) -> String {
    let name = file.path + ".unreadable"
    guard (try? file.move(to: name)) != nil else { return "\(file.path): \(problem)" }
    return "\(file.path): \(problem); kept as \(name), regions and grants begin anew"
  }

  /// Hands a write over. Those that come while the medium is busy are written together.
  package func write(_ write: LocationService.StateWrite, ticket: UInt64) {
    let job = Job(write: write, offset: byteCount, ticket: ticket)
    switch write {
    case .append(let bytes): byteCount += bytes.count
    case .replace(let bytes): byteCount = bytes.count
    }
    waiting = waiting.map { $0.followed(by: job) } ?? job
    guard waiting.map({ $0.byteCount <= Self.waitingByteCountMax }) ?? true else {
      (waiting, hasRefused) = (nil, true)
      return
    }
    submitWaiting()
  }

  private func submitWaiting() {
    guard !isWriting, let job = waiting else { return }
    waiting = nil
    isWriting = thread.submit(job)
    hasRefused = hasRefused || !isWriting
  }

  /// What came of writes since the last call, for the location services, and a line for the journal
  /// where that changed.
  package func takeOutcomes() -> (events: [LocationService.Event], line: String?) {
    events(of: thread.takeOutcomes())
  }

  /// Waits until all that was handed over is written, or failed.
  package func finish() -> [LocationService.Event] {
    var all: [LocationService.Event] = []
    while isWriting { all += events(of: thread.waitForOutcomes()).events }
    return all
  }

  private func events(
    of outcomes: [Outcome]
  ) -> (events: [LocationService.Event], line: String?) {
    var events: [LocationService.Event] = []
    var line: String?
    for outcome in outcomes {
      events.append(
        outcome.error == nil ? .persisted(through: outcome.ticket) : .persistFailed)
      if let error = outcome.error, !isFailing {
        line = "\(file.path): \(error.text); regions and grants would not survive a crash"
      } else if outcome.error == nil, isFailing {
        line = "\(file.path): writing works again"
      }
      isFailing = outcome.error != nil
      isWriting = false
      // It would stand behind a hole; the whole file follows.
      if isFailing { waiting = nil }
    }
    submitWaiting()
    if hasRefused { events.append(.persistFailed) }
    hasRefused = false
    return (events, line)
  }
}

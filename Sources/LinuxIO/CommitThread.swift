import Glibc

/// A thread that does jobs which may wait for the medium, one after another, so that the loop never
/// waits. Jobs and outcomes pass through two bounded queues.
///
/// `notify` is called on the thread after each outcome (`EventLoop`'s `WakeUp.signal`). With
/// nothing to do the thread sleeps.
package final class CommitThread<Job: Sendable, Outcome: Sendable>: Sendable {
  private let shared: Shared

  /// - Parameters:
  ///   - queueMax: Jobs that wait or whose outcomes were not taken yet; more are refused.
  ///   - work: Done on the thread.
  package init(
    queueMax: Int, notify: @escaping @Sendable () -> Void,
    work: @escaping @Sendable (Job) -> Outcome
  ) throws(Errno) {
    shared = Shared(queueMax: queueMax, notify: notify, work: work)
    try shared.start()
  }

  /// Waits until every job is done, then ends the thread.
  deinit { shared.stop() }

  /// Hands a job over. `false` where the queue is full: then nothing was taken.
  package func submit(_ job: Job) -> Bool { shared.submit(job) }

  /// What was done since the last call, in order. Never waits.
  package func takeOutcomes() -> [Outcome] { shared.takeOutcomes(waiting: false) }

  /// The same, but waits until there is one where a job is still to be done: for the end.
  package func waitForOutcomes() -> [Outcome] { shared.takeOutcomes(waiting: true) }

  /// What the two sides share: everything mutable is guarded by `mutex`.
  private final class Shared: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let queueMax: Int
    private let notify: @Sendable () -> Void
    private let work: @Sendable (Job) -> Outcome
    private var thread = pthread_t()
    private var jobs: [Job] = []
    private var outcomes: [Outcome] = []
    private var isWorking = false
    private var isEnding = false

    init(
      queueMax: Int, notify: @escaping @Sendable () -> Void,
      work: @escaping @Sendable (Job) -> Outcome
    ) {
      (self.queueMax, self.notify, self.work) = (queueMax, notify, work)
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(changed, nil)
    }

    deinit {
      pthread_cond_destroy(changed)
      pthread_mutex_destroy(mutex)
      changed.deallocate()
      mutex.deallocate()
    }

    func start() throws(Errno) { thread = try startThread { self.run() } }

    func stop() {
      locked {
        isEnding = true
        pthread_cond_broadcast(changed)
      }
      pthread_join(thread, nil)
    }

    func submit(_ job: Job) -> Bool {
      locked {
        guard jobs.count + outcomes.count + (isWorking ? 1 : 0) < queueMax else { return false }
        jobs.append(job)
        pthread_cond_broadcast(changed)
        return true
      }
    }

    func takeOutcomes(waiting: Bool) -> [Outcome] {
      locked {
        while waiting, outcomes.isEmpty, isWorking || !jobs.isEmpty {
          pthread_cond_wait(changed, mutex)
        }
        defer { outcomes = [] }
        return outcomes
      }
    }

    private func run() {
      while let job = nextJob() {
        let outcome = work(job)
        locked {
          isWorking = false
          outcomes.append(outcome)
          pthread_cond_broadcast(changed)
        }
        notify()
      }
    }

    private func nextJob() -> Job? {
      locked {
        while jobs.isEmpty, !isEnding { pthread_cond_wait(changed, mutex) }
        guard !jobs.isEmpty else { return nil }
        isWorking = true
        return jobs.removeFirst()
      }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body()
    }
  }
}

/// What a new thread is to run, carried over as one pointer.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func startThread(_ run: @escaping @Sendable () -> Void) throws(Errno) -> pthread_t {
  let context = Unmanaged.passRetained(ThreadBody(run))
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, nil,
    { context in
      // The C library's headers make this optional on some systems only.
      let pointer: UnsafeMutableRawPointer? = context
      if let pointer { Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run() }
      return nil
    }, context.toOpaque())
  guard failure == 0 else {
    context.release()
    throw Errno(rawValue: failure)
  }
  return thread
}

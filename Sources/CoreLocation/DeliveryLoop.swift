import Dispatch
import Foundation

/// The run loop of the thread that something was made on: its callbacks come there.
final class DeliveryLoop: @unchecked Sendable {
  private let isMain: Bool
  private let loop: RunLoop
  /// A run loop without anything to wait for ends at once.
  private let keepAlive: Timer?

  /// Of the current thread.
  init() {
    isMain = Thread.isMainThread
    loop = RunLoop.current
    guard !isMain else {
      keepAlive = nil
      return
    }
    let timer = Timer(timeInterval: .greatestFiniteMagnitude, repeats: false) { _ in }
    loop.add(timer, forMode: .default)
    keepAlive = timer
  }

  deinit { keepAlive?.invalidate() }

  /// Runs `block` there, after what was handed over before.
  func perform(_ block: @escaping @Sendable () -> Void) {
    // The main queue is served by the main run loop, and by `async` main functions, which run none.
    guard !isMain else { return DispatchQueue.main.async(execute: block) }
    // A timer wakes a run loop that waits; a block handed to it does not.
    loop.add(Timer(timeInterval: 0, repeats: false) { _ in block() }, forMode: .default)
  }
}

/// Lets a value go to another thread, whose owner takes care that only one uses it.
struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// A reference that does not keep its object, for blocks that outlive it.
struct WeakHandover<Object: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Object?
  init(_ value: Object) { self.value = value }
}

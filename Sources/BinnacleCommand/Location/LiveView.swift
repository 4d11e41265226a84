import BinnacleClient
import Bytes
import ControlProtocol
import GNSS
import LinuxIO
import TerminalView

/// The full-screen `watch`: what the daemon tells, drawn until somebody presses q.
final class LiveView {
  private let connection: BinnacleConnection
  private let screen: TerminalScreen
  private let loop: EventLoop
  private let style: TerminalStyle
  private var feed: WatchFeed
  private var shown: Canvas?
  private var nextStatus: Monotonic
  private var isEnding = false

  private static let connectionToken = EventLoop.Token(1)
  private static let keyToken = EventLoop.Token(2)
  /// How often what does not come by itself is asked for, and the page is fitted to the terminal.
  private static let statusPeriod = Duration.seconds(1)

  /// - Parameters:
  ///   - connection: With a session, so that the receiver is awake.
  ///   - screen: Taken over until this is released.
  init(_ connection: BinnacleConnection, on screen: TerminalScreen) throws(Errno) {
    (self.connection, self.screen) = (connection, screen)
    style = TerminalStyle(
      hasUnicode: TerminalScreen.hasUnicode, hasColour: TerminalScreen.hasColour)
    // With reduced accuracy there is nothing to look at but what the session is told.
    let isObserving =
      (try? connection.perform(.observe([.fixes, .satellites, .receivers]))) != nil
    feed = WatchFeed(daemon: connection.daemonVersion, isObserving: isObserving)
    loop = try EventLoop()
    nextStatus = Clocks.monotonic()
    try loop.add(connection.descriptor, token: Self.connectionToken)
    try loop.add(screen.descriptor, token: Self.keyToken)
  }

  /// Returns when the user has seen enough, or the terminal is gone.
  func run() throws(BinnacleError) {
    while !isEnding {
      if nextStatus <= Clocks.monotonic() {
        nextStatus = Clocks.monotonic() + Self.statusPeriod
        feed.takeStatus(try connection.request("status"))
        try receive()
      }
      draw()
      loop.deadline = nextStatus
      guard let events = try? loop.wait() else { return }
      for event in events {
        switch event {
        case .ready(Self.connectionToken, _, _, _): try receive()
        case .ready(Self.keyToken, _, _, _): takeKeys()
        case .signal(.terminate): isEnding = true
        default: break
        }
      }
    }
  }

  private func receive() throws(BinnacleError) {
    while let line = try connection.nextUpdate(timeout: .zero) { feed.take(line) }
  }

  private func takeKeys() {
    guard let keys = screen.keys() else {
      isEnding = true
      return
    }
    for key in keys {
      switch key {
      // Control-C and Control-D, where the terminal passes them on.
      case UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4: isEnding = true
      case UInt8(ascii: "?"), UInt8(ascii: "h"): feed.toggleHelp()
      case 12: shown = nil
      default: break
      }
    }
  }

  private func draw() {
    feed.tick(now: Clocks.utc(), at: Clocks.monotonic())
    let size = screen.size
    let page = WatchScreen.page(
      feed.state, columnCount: size.columnCount, rowCount: size.rowCount, style: style)
    let bytes = page.update(from: shown)
    shown = page
    guard !bytes.isEmpty, (try? screen.write(bytes)) == nil else { return }
    isEnding = true
  }
}

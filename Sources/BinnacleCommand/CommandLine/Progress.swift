import LinuxIO

/// How far a long read is, for a person at a terminal: shown while standard error is one and
/// standard output, whose lines it would mix with, is none.
struct Progress {
  private let name: String
  private let byteCount: Int
  private let isShown: Bool
  private var doneByteCount = 0
  private var shownPercent = 0

  /// Shorter files are read before anybody could read a number.
  private static let byteCountMin = 8_000_000

  /// - Parameter byteCount: The size where it is known.
  init(name: String, byteCount: Int?) {
    self.name = name
    self.byteCount = byteCount ?? 0
    isShown =
      self.byteCount >= Self.byteCountMin && StandardError.isTerminal
      && !StandardOutput.isTerminal
  }

  mutating func advance(by count: Int) {
    guard isShown else { return }
    doneByteCount += count
    let percent = Int(Double(doneByteCount) / Double(byteCount) * 100)
    guard percent != shownPercent else { return }
    shownPercent = percent
    StandardError.replaceLine("\(name): \(min(percent, 100)) %")
  }

  /// Takes the line away.
  func finish() {
    if shownPercent > 0 { StandardError.replaceLine("") }
  }
}

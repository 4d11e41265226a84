import GNSS

/// Keys and values: read, write what differs, read back. A refused message is halved until the keys
/// that the receiver does not know stand alone; the others are not lost with them.
extension ConfigurationExecutor {
  mutating func beginSettings(_ settings: [UBXSetting], at now: Monotonic) -> [Command] {
    (foundValues, writtenValues) = ([:], [:])
    let keys = settings.map(\.key).filter { !report.unsupported.contains($0) }
    guard !keys.isEmpty else { return end(.refused, at: now) }
    return read(next: [keys], at: now)
  }

  private mutating func read(next chunks: [[UBXKey]], at now: Monotonic) -> [Command] {
    guard let chunk = chunks.first else { return beginWriting(at: now) }
    phase = .reading(chunks)
    return send(.get(chunk), at: now)
  }

  mutating func read(
    _ chunks: [[UBXKey]], _ outcome: Exchange.Outcome, at now: Monotonic
  ) -> [Command] {
    guard let chunk = chunks.first else { return [] }
    switch outcome {
    case .answered(.ubx(_, let payload)):
      for setting in UBXSetting.settings(in: payload) where chunk.contains(setting.key) {
        foundValues[setting.key] = setting.value
      }
      return read(next: Array(chunks.dropFirst()), at: now)
    case .answered: return []
    case .refused:
      if chunk.count == 1 { report.unsupported.formUnion(chunk) }
      return read(next: Self.halves(of: chunk) + chunks.dropFirst(), at: now)
    case .unanswered: return end(.unanswered, at: now)
    }
  }

  /// Two halves, or nothing of a chunk that cannot be halved.
  private static func halves<T>(of chunk: [T]) -> [[T]] {
    guard chunk.count > 1 else { return [] }
    let middle = chunk.count / 2
    return [Array(chunk[..<middle]), Array(chunk[middle...])]
  }

  private mutating func beginWriting(at now: Monotonic) -> [Command] {
    guard case .settings(let settings, let layers) = plan.steps[index].action else { return [] }
    let known = settings.filter { !report.unsupported.contains($0.key) }
    guard !known.isEmpty else { return end(.refused, at: now) }
    for setting in known {
      guard let value = foundValues[setting.key] else { continue }
      report.found.settings.removeAll { $0.key == setting.key }
      report.found.settings.append(UBXSetting(setting.key, value))
    }
    // To RAM alone, only what differs: a wake that lost nothing then costs one question.
    let needed =
      layers == .ram ? known.filter { foundValues[$0.key] != $0.value } : known
    guard !needed.isEmpty else { return end(.verified, at: now) }
    return write(next: [needed], at: now)
  }

  private mutating func write(next chunks: [[UBXSetting]], at now: Monotonic) -> [Command] {
    guard case .settings(_, let layers) = plan.steps[index].action else { return [] }
    guard let chunk = chunks.first else {
      guard !writtenValues.isEmpty else { return end(.refused, at: now) }
      return check(next: [Array(writtenValues.keys).sorted { $0.id < $1.id }], at: now)
    }
    phase = .writing(chunks)
    return send(.set(chunk, layers: layers), at: now)
  }

  mutating func wrote(
    _ chunks: [[UBXSetting]], _ outcome: Exchange.Outcome, at now: Monotonic
  ) -> [Command] {
    guard let chunk = chunks.first else { return [] }
    switch outcome {
    // A lost acknowledgement is no failure yet: what is read back decides.
    case .answered, .unanswered:
      for setting in chunk { writtenValues[setting.key] = setting.value }
      return write(next: Array(chunks.dropFirst()), at: now)
    case .refused:
      if chunk.count == 1 { report.unsupported.formUnion(chunk.map(\.key)) }
      return write(next: Self.halves(of: chunk) + chunks.dropFirst(), at: now)
    }
  }

  private mutating func check(next chunks: [[UBXKey]], at now: Monotonic) -> [Command] {
    guard let chunk = chunks.first else { return end(settingsOutcome, at: now) }
    phase = .checking(chunks)
    return send(.get(chunk), at: now)
  }

  mutating func checked(
    _ chunks: [[UBXKey]], _ outcome: Exchange.Outcome, at now: Monotonic
  ) -> [Command] {
    guard case .answered(.ubx(_, let payload)) = outcome else {
      return end(outcome == .refused ? .withoutEffect : .unanswered, at: now)
    }
    for setting in UBXSetting.settings(in: payload) { foundValues[setting.key] = setting.value }
    return check(next: Array(chunks.dropFirst()), at: now)
  }

  private var settingsOutcome: ConfigurationReport.Outcome {
    guard writtenValues.allSatisfy({ foundValues[$0.key] == $0.value }) else {
      return .withoutEffect
    }
    guard case .settings(let settings, _) = plan.steps[index].action else { return .verified }
    return settings.contains { report.unsupported.contains($0.key) } ? .refused : .verified
  }
}

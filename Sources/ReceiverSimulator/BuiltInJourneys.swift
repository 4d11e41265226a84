import GNSS

/// Journeys that need no track.
extension SimulatedJourney {
  /// Those that can be chosen by name: as in `simulate --journey`.
  package static let named: [(name: String, journey: SimulatedJourney)] = [
    ("still", still), ("line", line), ("jump", jump), ("day", day),
  ]

  package static func named(_ name: String) -> SimulatedJourney? {
    named.first { $0.name == name }?.journey
  }

  private static let home = Coordinate(latitude: 48.1, longitude: 11.5)

  /// A day at one place under an open sky.
  package static let still: SimulatedJourney = {
    var still = SimulatedJourney(origin: home)
    still.rest(.seconds(86_400), under: .open)
    return still
  }()

  /// A minute at rest, ten minutes due east at 10 m/s, a minute at rest.
  package static let line: SimulatedJourney = {
    var line = SimulatedJourney(origin: home)
    line.rest(.seconds(60), under: .open)
    line.go(.seconds(600), speed: 10, course: 90, under: .open)
    line.rest(.seconds(60), under: .open)
    return line
  }()

  /// Three minutes at one place, then at once three minutes a kilometre north of it.
  package static let jump: SimulatedJourney = {
    var jump = SimulatedJourney(origin: home)
    jump.rest(.seconds(180), under: .open)
    jump.jump(north: 1000, east: 0)
    jump.rest(.seconds(180), under: .open)
    return jump
  }()

  /// A day of a person: at home near a window, a walk, a drive through town, on a road and
  /// through a tunnel, a meeting deep indoors, a ride, a rest outdoors, a bus home. It ends
  /// where it began.
  package static let day: SimulatedJourney = {
    var day = SimulatedJourney(origin: home)
    day.rest(.seconds(27_000), under: .window)
    day.walk(minutes: 30, from: 80)
    day.driveInTown(minutes: 8, from: 100)
    day.go(.seconds(840), speed: 25, course: 95, under: .open)
    day.go(.seconds(40), speed: 22, course: 95, under: .none)
    day.driveInTown(minutes: 7, from: 60)
    day.walk(minutes: 5, from: 0)
    day.rest(.seconds(7200), under: .none)
    day.ride(minutes: 60)
    day.rest(.seconds(3000), under: .open)
    day.go(.seconds(2700), to: home, under: .open)
    day.rest(.seconds(86_400) - day.length, under: .window)
    return day
  }()

  private mutating func walk(minutes: Int, from course: Double) {
    for minute in 0..<minutes {
      let turn = Double(minute % 4) * 25
      let reception: Reception = minute % 5 == 3 ? .trees : .open
      go(.seconds(60), speed: 1.4, course: course + turn, under: reception)
    }
  }

  /// Forty seconds at 12 m/s, a traffic light; a part of it between high houses.
  private mutating func driveInTown(minutes: Int, from course: Double) {
    for minute in 0..<minutes {
      let reception: Reception = minute % 4 == 1 ? .canyon : .open
      go(.seconds(42), speed: 12, course: course + Double(minute % 3) * 30, under: reception)
      rest(.seconds(18), under: reception)
    }
  }

  private mutating func ride(minutes: Int) {
    for minute in 0..<minutes {
      let reception: Reception = minute % 6 == 4 ? .trees : .open
      go(.seconds(60), speed: 5.5, course: 250 + Double(minute % 5) * 12, under: reception)
    }
  }
}

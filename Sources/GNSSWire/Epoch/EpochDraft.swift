import GNSS

/// What the messages of the open epoch have said so far. Each group of values keeps the rank of its
/// source, so that the better one stays whatever the order.
struct EpochDraft {
  // Which epoch it is.
  var timeOfDay: TimeOfDay?
  /// Milliseconds of the GPS week.
  var iTOWMilliseconds: UInt32?
  /// The first message that reported a solution: where it comes again, the epoch is over.
  var firstSolution: UInt64?
  /// Sentences without a time that had their turn: one that comes again later is of the next epoch,
  /// whose first sentence was lost.
  private var hadMotion = Turn.ahead
  private var hadGeometry = Turn.ahead
  /// What is reported in the end, so that it need not be copied.
  var epoch = Epoch()

  // When it was.
  var date: CalendarDate?
  /// The whole time by a binary message.
  var utc: UTCTime?
  /// Whether date or time came with a solution that was valid.
  var dateIsTrusted = false
  var isLeapSecond = false
  /// Whether `utc` was made with the table of leap seconds.
  var leapIsByTable = false

  // What it says.
  var votes = SolutionVotes()
  var errors = ErrorReports()
  var positionRank: UInt8 = 0
  var altitudeRank: UInt8 = 0
  var speedRank: UInt8 = 0
  var courseRank: UInt8 = 0

  var fix: Fix {
    @inline(__always) get { epoch.fix }
    @inline(__always) _modify { yield &epoch.fix }
  }

  /// Whether a sentence without a time has its turn.
  private enum Turn { case ahead, now, past }

  /// Forgets all but the list of satellites, which is the last one until there is another.
  mutating func begin() {
    (timeOfDay, iTOWMilliseconds, firstSolution) = (nil, nil, nil)
    (hadMotion, hadGeometry) = (.ahead, .ahead)
    epoch.fix = Self.blankFix
    (date, utc) = (nil, nil)
    (dateIsTrusted, isLeapSecond, leapIsByTable) = (false, false, false)
    (votes, errors) = (SolutionVotes(), ErrorReports())
    (positionRank, altitudeRank, speedRank, courseRank) = (0, 0, 0, 0)
  }

  /// Copied, as it is large.
  private static let blankFix = Fix()

  /// Notes a message of any kind.
  /// - Returns: Whether it may be of this epoch.
  @inline(__always)
  mutating func admits(isMotion: Bool = false, isGeometry: Bool = false) -> Bool {
    if !isMotion, hadMotion == .now { hadMotion = .past }
    if !isGeometry, hadGeometry == .now { hadGeometry = .past }
    if isMotion, hadMotion == .past { return false }
    if isGeometry, hadGeometry == .past { return false }
    if isMotion { hadMotion = .now }
    if isGeometry { hadGeometry = .now }
    return true
  }

  /// Whether any message with a solution, or with its time, was among them.
  var hasSolution: Bool { firstSolution != nil }
}

/// How good a source of a value is; the greater is taken, and of equals the later.
enum SourceRank {
  /// NMEA by the decimals of the minutes, 15...19. Up to five, 2 cm, are as good as one another.
  static func nmea(decimals: UInt8) -> UInt8 { 10 + min(max(decimals, 5), 9) }
  static let faultDetection: UInt8 = 5
  static let vtgKilometres: UInt8 = 10
  static let vtgKnots: UInt8 = 11
  static let sentence: UInt8 = 15
  static let casic: UInt8 = 40
  static let ecef: UInt8 = 45
  static let posllh: UInt8 = 50
  static let pvt: UInt8 = 60
  static let highPrecision: UInt8 = 70
}

/// Who says that there is a fix, and of what kind.
struct SolutionVotes {
  /// Of a binary message, which settles it.
  var binaryMode: FixMode?
  var binaryStatus: FixStatus?
  /// GGA's quality, where it is not blank.
  var quality: Int?
  var rmcIsValid: Bool?
  var gnsIsValid: Bool?
  var gllIsValid: Bool?
  /// The greatest of the epoch's GSA modes, 1...3; 0 if there was none.
  var gsaMode = 0
  /// Satellites in the epoch's GSA sentences, and whether one gave a vertical dilution.
  var gsaUsedCount = 0
  var gsaHasVertical = false
  /// Of the sentences, the best that was said.
  var status: FixStatus?
  /// Whether a sentence gave an altitude.
  var hasAltitude = false

  /// The kind of solution by all that was said. GGA knows it best, then GNS; RMC and GLL only know
  /// valid or void. Two or three dimensions are GSA's to tell, or else whether there is an
  /// altitude.
  var mode: FixMode {
    if let binaryMode { return binaryMode }
    // u-blox sends an estimate that RMC calls void once it is beyond the limits that were set.
    if quality == 6, rmcIsValid == false { return FixMode.none }
    let isValid: Bool? =
      quality.map { $0 > 0 } ?? gnsIsValid ?? rmcIsValid.map { $0 || gllIsValid == true }
      ?? gllIsValid
    guard let isValid else { return gsaMode == 1 ? FixMode.none : .unknown }
    guard isValid else { return FixMode.none }
    switch gsaMode {
    case 3: return .threeD
    // Some modems always say 2D: four satellites and a vertical dilution are a solution in space.
    case 2: return hasAltitude && gsaUsedCount >= 4 && gsaHasVertical ? .threeD : .twoD
    default: return hasAltitude ? .threeD : .twoD
    }
  }
}

import Quantities

/// The solution type of NovAtel's and Unicore's logs: a name in ASCII, a number in binary.
/// - Source: NovAtel OEM7 commands and logs, BESTPOS, "Position or velocity type"; pyunigps 1.0.1
///   has the same numbers.
enum LogSolution {
  /// The solution of a number; nil for an unknown one.
  static func solution(_ number: UInt32) -> SolutionRecord.Solution? {
    switch number {
    case 0: .noFix
    // FIXEDPOS, SINGLE, INS_PSRSP, OPERATIONAL to OUT_OF_BOUNDS, and PPP with its variants.
    case 1, 16, 53, 68...80: SolutionRecord.Solution(.threeDimensional)
    // FIXEDHEIGHT.
    case 2: SolutionRecord.Solution(.threeDimensional, .two)
    // PSRDIFF, WAAS, INS_SBAS, INS_PSRDIFF.
    case 17, 18, 52, 54: SolutionRecord.Solution(.differential)
    // PROPAGATED.
    case 19: SolutionRecord.Solution(.deadReckoning)
    // L1_FLOAT, IONOFREE_FLOAT, NARROW_FLOAT, INS_RTKFLOAT.
    case 32, 33, 34, 55: SolutionRecord.Solution(.rtkFloat)
    // L1_INT, WIDE_INT, NARROW_INT, RTK_DIRECT_INS, INS_RTKFIXED.
    case 48, 49, 50, 51, 56: SolutionRecord.Solution(.rtkFixed)
    default: nil
    }
  }

  /// The number of a name; for an unknown or missing one a number without a solution.
  static func number(_ name: ShortText?) -> UInt32 {
    guard let name else { return 0 }
    for (known, number) in names where name.matches(known) { return number }
    return .max
  }

  private static let names: [(StaticString, UInt32)] = [
    ("NONE", 0), ("FIXEDPOS", 1), ("FIXEDHEIGHT", 2), ("DOPPLER_VELOCITY", 8), ("SINGLE", 16),
    ("PSRDIFF", 17),
    ("WAAS", 18), ("SBAS", 18), ("PROPAGATED", 19), ("L1_FLOAT", 32), ("IONOFREE_FLOAT", 33),
    ("NARROW_FLOAT", 34), ("L1_INT", 48), ("WIDE_INT", 49), ("NARROW_INT", 50),
    ("RTK_DIRECT_INS", 51), ("INS_SBAS", 52), ("INS_PSRSP", 53), ("INS_PSRDIFF", 54),
    ("INS_RTKFLOAT", 55), ("INS_RTKFIXED", 56), ("PPP_CONVERGING", 68), ("PPP", 69),
    // At most 16 characters are compared.
    ("INS_PPP_CONVERGI", 73), ("INS_PPP", 74), ("PPP_BASIC_CONVER", 77), ("PPP_BASIC", 78),
    ("OPERATIONAL", 70), ("WARNING", 71), ("OUT_OF_BOUNDS", 72), ("PPP_PLUS", 75),
    ("INS_PPP_PLUS", 76), ("INS_PPP_BASIC_CO", 79), ("INS_PPP_BASIC", 80),
  ]
}

/// The values of a log, in either form.
struct LogValues {
  /// The status is SOL_COMPUTED.
  var isComputed = false
  var type: UInt32 = 0

  var solution: SolutionRecord.Solution {
    isComputed ? LogSolution.solution(type) ?? .noFix : .noFix
  }

  /// Heading and tilt by two antennas, of which only fixed solutions have a usable direction.
  func attitude(
    lengthMetres: Double?, headingDegrees: Double?, pitchDegrees: Double?, _ headingSigma: Double?,
    _ pitchSigma: Double?
  ) -> SolutionRecord.Attitude {
    var attitude = SolutionRecord.Attitude()
    guard solution.kind == .rtkFixed else { return attitude }
    attitude.lengthMetres = AntennaVector.length(lengthMetres)
    attitude.headingAccuracy = headingSigma.flatMap { Possible.sigma(degrees: $0) }
    attitude.pitchAccuracy = pitchSigma.flatMap { Possible.sigma(degrees: $0) }
    attitude.heading = headingDegrees.flatMap { Possible.direction(degrees: $0) }
      .map { TrueHeading($0) }
    attitude.pitch = pitchDegrees.flatMap { Possible.angle(degrees: $0, within: 90) }
    return attitude
  }
}

extension SolutionRecord {
  /// Stores the position of BESTPOS and BESTNAV: height above mean sea level, sigmas, age.
  mutating func place(
    _ latitude: Double?, _ longitude: Double?, altitude: Double?, separation: Double?,
    sigmas: (latitude: Double?, longitude: Double?, height: Double?), age: Double?,
    satellitesUsed used: Int?
  ) {
    if let latitude, let longitude {
      position = Possible.position(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }
    altitudeMetres = altitude.flatMap { Possible.height($0) }
    geoidSeparationMetres = separation.flatMap { Possible.height($0) }
    latitudeErrorMetres = sigmas.latitude.flatMap { Possible.sigma($0) }
    longitudeErrorMetres = sigmas.longitude.flatMap { Possible.sigma($0) }
    verticalAccuracyMetres = sigmas.height.flatMap { Possible.sigma($0) }
    correctionAgeSeconds = age.flatMap { Possible.number($0, 0...1e6) }
    satellitesUsed = used
  }

  /// Stores the motion of BESTVEL and BESTNAV.
  mutating func move(_ speed: Double?, courseDegrees: Double?, up: Double?, sigma: Double?) {
    guard let speed = speed.flatMap({ Possible.speed($0) }), speed >= 0 else { return }
    speedMetresPerSecond = speed
    course = courseDegrees.flatMap { Possible.direction(degrees: $0) }
    verticalSpeedMetresPerSecond = up.flatMap { Possible.speed($0) }
    speedAccuracyMetresPerSecond = sigma.flatMap { Possible.sigma($0) }
  }

  /// Stores the time of a log's header. Unicore's receivers may be set to BeiDou's time.
  mutating func setTime(week: Int, milliseconds: UInt32, isBeiDou: Bool) {
    // BeiDou's time began in GPS week 1356, 14 s after GPS time's own second.
    // Source: BeiDou ICD B1I 3.0, section 3.3.
    let (weekLength, firstWeek, offset): (UInt32, Int, UInt32) = (604_800_000, 1356, 14_000)
    guard milliseconds < weekLength, week > 0 else { return }
    guard isBeiDou else {
      (self.week, timeOfWeekMilliseconds) = (week, milliseconds)
      return
    }
    let sum = milliseconds + offset
    self.week = week + firstWeek + (sum >= weekLength ? 1 : 0)
    timeOfWeekMilliseconds = sum % weekLength
  }
}

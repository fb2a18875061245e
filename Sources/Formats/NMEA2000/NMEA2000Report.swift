import Quantities
import ReceiverProtocols

/// An estimate as messages of NMEA 2000.
///
/// PGN 129029 alone can say that a position is estimated, simulated or coarse. In all other messages
/// a value that is not measured now is not available.
public enum NMEA2000Report {
  /// The messages of estimates and pressure, in the order in which they are sent.
  public static let messages: [PGN] = [
    .heading, .rateOfTurn, .heave, .attitude, .variation, .position, .courseAndSpeed, .gnssPosition,
    .systemTime, .pressure,
  ]

  /// A message of an estimate.
  /// - Parameters:
  ///   - pgn: Which one of `messages`.
  ///   - estimate: Its values.
  ///   - pressure: The newest sample of a barometer.
  ///   - sid: The number that messages of one measurement share, 0 to 252.
  /// - Returns: The message; nil where the estimate has none of its values.
  public static func message(
    _ pgn: PGN, of estimate: Estimate, pressure: PressureSample? = nil, sid: UInt8
  ) -> PGNMessage? {
    var message = PGNMessage(pgn)
    message[.sid] = Double(sid)
    let isKnown =
      switch pgn {
      case .heading: heading(estimate, &message)
      case .rateOfTurn:
        number(estimate.rateOfTurn?.radiansPerSecond, .rate, isMotionCurrent(estimate), &message)
      case .heave: number(estimate.heaveMetres, .heave, isMotionCurrent(estimate), &message)
      case .attitude: attitude(estimate, &message)
      case .variation: variation(estimate, &message)
      case .position: position(estimate, &message)
      case .courseAndSpeed: courseAndSpeed(estimate, &message)
      case .gnssPosition: gnssPosition(estimate, &message)
      case .systemTime: systemTime(estimate, &message)
      case .pressure: atmosphere(pressure, isSimulated: estimate.isSimulated, &message)
      default: false
      }
    return isKnown ? message : nil
  }

  /// A message whose values are not known any more.
  static func unavailable(_ pgn: PGN, sid: UInt8) -> PGNMessage {
    var message = PGNMessage(pgn)
    message[.sid] = Double(sid)
    if pgn == .gnssPosition { setLost(&message) }
    return message
  }

  /// The state of the device in the heartbeat: a fault where the heading or position is lost,
  /// contradicted or over.
  public static func hasFault(_ estimate: Estimate) -> Bool {
    [estimate.headingState, estimate.positionState].contains { state in
      state.map { $0.isGone || $0 == .contradicted } ?? false
    }
  }

  // MARK: Heading and motion

  /// Whether headings and motion are measured now; where the compass is late they are carried on.
  private static func isMotionCurrent(_ estimate: Estimate) -> Bool {
    !estimate.isSimulated && estimate.headingState != .late
  }

  private static func number(
    _ value: Double?, _ field: PGN.Field, _ isCurrent: Bool, _ message: inout PGNMessage
  ) -> Bool {
    if isCurrent { message[field] = value }
    return value != nil
  }

  /// The magnetic heading without its deviation, which is then zero, else the true heading.
  /// - Source: NMEA 2000, PGN 127250: the deviation added to the heading gives the magnetic heading,
  ///   and the variation added to that the true one.
  private static func heading(_ estimate: Estimate, _ message: inout PGNMessage) -> Bool {
    guard let heading = estimate.magneticHeading?.angle ?? estimate.trueHeading?.angle else {
      return false
    }
    guard isMotionCurrent(estimate) else { return true }
    let isMagnetic = estimate.magneticHeading != nil
    message[.heading] = heading.wrappedToTurn.radians
    message[code: .reference] = isMagnetic ? PGN.Code.magneticNorth : PGN.Code.trueNorth
    if isMagnetic, estimate.deviation != nil { message[.deviation] = 0 }
    message[.variation] = estimate.magneticVariation?.radians
    return true
  }

  /// Pitch, bow up, roll, right side down, and the magnetic heading as the yaw.
  /// - Source: NMEA2000 of T. Lappalainen, `SetN2kPGN127257`; a Raymarine EV-1 in canboat's recording
  ///   `candumpSample3.txt` sends its heading there.
  private static func attitude(_ estimate: Estimate, _ message: inout PGNMessage) -> Bool {
    guard estimate.isLevelKnown, let angles = estimate.attitude?.attitudeAngles else {
      return false
    }
    guard isMotionCurrent(estimate) else { return true }
    message[.yaw] = estimate.magneticHeading?.angle.wrappedToHalfTurn.radians
    message[.pitch] = angles.pitch.radians
    message[.roll] = angles.roll.radians
    return true
  }

  private static func variation(_ estimate: Estimate, _ message: inout PGNMessage) -> Bool {
    guard let variation = estimate.magneticVariation else { return false }
    guard !estimate.isSimulated else { return true }
    message[code: .source] = PGN.Code.calculatedVariation
    message[.variation] = variation.radians
    return true
  }

  // MARK: Position

  private static func position(_ estimate: Estimate, _ message: inout PGNMessage) -> Bool {
    guard let position = estimate.position else { return false }
    guard estimate.isPositionMeasured else { return true }
    message[.latitude] = position.latitude.degrees
    message[.longitude] = position.longitude.degrees
    return true
  }

  private static func courseAndSpeed(_ estimate: Estimate, _ message: inout PGNMessage) -> Bool {
    guard estimate.speedMetresPerSecond != nil || estimate.course != nil else { return false }
    guard estimate.isPositionMeasured else { return true }
    message[code: .reference] = PGN.Code.trueNorth
    message[.course] = estimate.course?.wrappedToTurn.radians
    message[.speed] = estimate.speedMetresPerSecond
    return true
  }

  /// The position with its method and integrity; "no GNSS" where a receiver gives none.
  private static func gnssPosition(_ estimate: Estimate, _ message: inout PGNMessage) -> Bool {
    guard estimate.positionState != nil || estimate.position != nil else { return false }
    setLost(&message)
    let kind = estimate.fixKind ?? .none
    guard let position = estimate.position, kind != .none, estimate.positionState?.isGone != true
    else { return true }
    if let utc = estimate.fixUTC { set(utc, &message) }
    message[.latitude] = position.latitude.degrees
    message[.longitude] = position.longitude.degrees
    message[.altitude] = estimate.ellipsoidalAltitudeMetres
    message[code: .system] = kind.isOfSatellites ? PGN.Code.gps : nil
    message[code: .method] = method(kind, isSimulated: estimate.isSimulated)
    let isSure = estimate.isPositionMeasured && estimate.positionState != .contradicted
    message[code: .integrity] = isSure ? PGN.Code.noIntegrityCheck : PGN.Code.caution
    message[.satellites] = estimate.satellitesUsed.map(Double.init)
    message[.horizontalDilution] = estimate.reportedDilution
    if let horizontal = estimate.horizontalDilution, let vertical = estimate.verticalDilution {
      message[.positionDilution] = (horizontal * horizontal + vertical * vertical).squareRoot()
    }
    if let altitude = estimate.altitudeMetres, let height = estimate.ellipsoidalAltitudeMetres {
      message[.separation] = height - altitude
    }
    return true
  }

  /// Sets "no GNSS" and no reference stations. The integrity stays not available, which is also the
  /// code of an unsafe one.
  private static func setLost(_ message: inout PGNMessage) {
    let lengthWithoutStations = 43
    message[code: .method] = PGN.Code.noGNSS
    message[code: .stations] = 0
    message.truncate(to: lengthWithoutStations)
  }

  private static func method(_ kind: FixKind, isSimulated: Bool) -> Int {
    if isSimulated { return PGN.Code.simulated }
    return switch kind {
    case .none: PGN.Code.noGNSS
    case .twoDimensional, .threeDimensional: PGN.Code.gnss
    case .differential: PGN.Code.differential
    case .rtkFixed: PGN.Code.rtkFixed
    case .rtkFloat: PGN.Code.rtkFloat
    // The position does not come from satellites.
    case .deadReckoning, .network: PGN.Code.estimated
    case .simulated: PGN.Code.simulated
    }
  }

  // MARK: Time and pressure

  private static func systemTime(_ estimate: Estimate, _ message: inout PGNMessage) -> Bool {
    guard let utc = estimate.utc else { return false }
    guard !estimate.isSimulated else { return true }
    let isOfReceiver = estimate.positionState == .live && estimate.fixKind?.isOfSatellites == true
    message[code: .source] = isOfReceiver ? PGN.Code.gpsTime : PGN.Code.crystalClock
    set(utc, &message)
    return true
  }

  /// Days since 1970 and seconds of the day in steps of 0.1 ms.
  private static func set(_ utc: UTCTime, _ message: inout PGNMessage) {
    let step: Int64 = 100_000
    let time = utc.rounded(toNanoseconds: step)
    message[.date] = Double(time.date.daysSince1970)
    message[.time] = Double(time.nanosecondsOfDay / step) / 10_000
  }

  private static func atmosphere(
    _ sample: PressureSample?, isSimulated: Bool, _ message: inout PGNMessage
  ) -> Bool {
    guard let sample else { return false }
    message[code: .instance] = 0
    message[code: .source] = PGN.Code.atmosphericPressure
    let pascalInHectopascal = 100.0
    if !isSimulated { message[.pressure] = sample.hectopascal * pascalInHectopascal }
    return true
  }
}

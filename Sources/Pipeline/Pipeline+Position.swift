import EarthModel
import Fusion
import Quantities
import RealModule

/// The fused position and velocity, and the data that the attitude filter passes to inertial
/// navigation.
extension Pipeline {
  /// Interval at which the attitude filter's heading is given to the position filter, s.
  static let guidingInterval = 0.1

  /// Passes attitude, north and bias of the attitude filter to the position filter.
  mutating func guide(at t: Timestamp) {
    let isDue = guidedAt.map { t.seconds(since: $0) >= Self.guidingInterval } ?? true
    guard isDue, let solution = attitude.solution, solution.isLevelKnown else { return }
    guidedAt = t
    navigation.orient(
      solution.attitude, north: knownNorth(solution, at: t),
      rateBias: attitude.gyroscopeBias.radiansPerSecond,
      rateBiasSigma: attitude.gyroscopeBiasSigma, isAtRest: attitude.isAtRest, at: t)
  }

  /// Correlation time of the compass's error, s.
  private static let compassErrorTime = 60.0
  /// Correlation time of the error of two antennas' heading, s.
  private static let antennaErrorTime = 60.0

  /// The attitude filter's north by its compass or the receiver's antennas, whichever is more
  /// accurate.
  private func knownNorth(_ solution: AttitudeSolution, at t: Timestamp) -> KnownNorth? {
    let compass = compassNorth(solution)
    guard let antennas = antennaNorth.value(at: t) else { return compass }
    let mounting = antennaHeadings.mountingSigma
    let sigma = Self.together(antennas.sigma, mounting)
    guard compass.map({ sigma < $0.sigma }) ?? true else { return compass }
    return KnownNorth(
      turn: antennas.radians, sigma: sigma, errorSeconds: Self.antennaErrorTime,
      isCompass: false)
  }

  /// The compass's north; nil without a heading or declination.
  func compassNorth(_ solution: AttitudeSolution) -> KnownNorth? {
    guard solution.isHeadingKnown, let elements = north.elements,
      let accuracy = accuracy(of: solution)
    else { return nil }
    let deviation = vehicle?.deviation(
      forCompassHeading: solution.attitude.attitudeAngles.heading)
    let turn = elements.declination.radians + (deviation?.angle.radians ?? 0)
    return KnownNorth(
      turn: turn, sigma: accuracy.radians / 2, errorSeconds: Self.compassErrorTime)
  }

  /// Time without a fix after which a position is dead reckoning, s.
  var outage: Double { min(navigation.longestFixAge, PlaceOfFix.longestAge) }

  /// Whether the filter's result replaces the receiver's newest epoch: with inertial samples, where
  /// the receiver contradicts itself, and in an outage.
  func replacesReceiver(_ fused: PositionSolution) -> Bool {
    fused.fixAgeSeconds > outage
      ? !isReceiverResting : fused.isInertial || navigation.contradictsVelocity
  }

  /// The speed over ground, m/s: the receiver's own while it is recent; nil where it is unknown.
  func speed(at t: Timestamp) -> Double? {
    if let fix = place.fix, let speed = fix.speedMetresPerSecond,
      t.seconds(since: fix.timestamp) <= navigation.parameters.briefOutage
    {
      return speed
    }
    return navigation.solution(at: t)?.speedMetresPerSecond
  }

  /// Completes an estimate that has the receiver's newest solution.
  func describePosition(_ e: inout Estimate, _ fused: PositionSolution) {
    if fused.fixAgeSeconds > outage {
      if isReceiverResting { return }
      // Dead reckoning from a simulated fix stays marked as simulated.
      e.fixKind = place.fix?.kind == .simulated ? .simulated : .deadReckoning
      // The timestamp advances once a second, because some outputs send each fix only once.
      e.fixTimestamp = fused.fixTimestamp.advanced(
        bySeconds: fused.fixAgeSeconds.rounded(.down))
      e.outageSeconds = fused.fixAgeSeconds
      // These values belong to the receiver's solution, which has ended.
      (e.satellitesUsed, e.horizontalDilution, e.verticalDilution) = (nil, nil, nil)
    }
    guard e.fixKind != nil, e.fixKind != FixKind.none else { return }
    if let newest = place.fix?.timestamp, newest > fused.fixTimestamp,
      e.timestamp.seconds(since: newest) <= outage, let fix = place.fix
    {
      e.rejectedPosition = fix.position
      e.rejectedAccuracyMetres = fix.horizontalAccuracyMetres
    }
    e.position = fused.position
    let replaces = replacesReceiver(fused)
    if replaces || e.horizontalAccuracyMetres != nil {
      e.horizontalAccuracyMetres = fused.horizontalAccuracyMetres
    }
    guard replaces else { return }
    // Nothing measures the speed of a board without a fix and without an inertial unit.
    guard fused.isInertial || fused.fixAgeSeconds <= PlaceOfFix.longestAge else {
      (e.speedMetresPerSecond, e.speedAccuracyMetresPerSecond) = (nil, nil)
      (e.course, e.courseAccuracy) = (nil, nil)
      return
    }
    e.speedMetresPerSecond = fused.speedMetresPerSecond
    e.course = fused.course
    e.speedAccuracyMetresPerSecond = fused.speedAccuracyMetresPerSecond
    e.courseAccuracy = fused.course == nil ? nil : fused.courseAccuracy
  }

  /// The heading of a vehicle by its course: attitude and headings of inertial navigation.
  /// - Parameters:
  ///   - e: The estimate that gets the heading.
  ///   - compass: The accuracy of its compass, 95 %; nil if it is unknown.
  /// - Returns: False where the compass is more accurate, or the course gives no heading.
  func describeCourseHeading(_ e: inout Estimate, ratherThan compass: Angle?) -> Bool {
    guard navigation.isVehicle, let inertial = navigation.inertialSolution,
      let elements = north.elements, inertial.headingSigma < 0.35
    else { return false }
    // A board that is fixed by hand, and a vehicle that slips in a turn, are off by two degrees.
    let sigma = Self.together(inertial.headingSigma, 0.035)
    if let compass, navigation.compassContradiction == nil, compass.radians <= 2 * sigma {
      return false
    }
    e.attitudeMode = .gyroscopeAccelerometerAndCourse
    describeHeading(&e, inertial.attitude, sigma, elements)
    return true
  }

  /// Sets attitude and headings by an attitude relative to true north.
  func describeHeading(
    _ e: inout Estimate, _ attitude: Rotation<BodyFrame, EarthFrame>, _ sigma: Double,
    _ elements: MagneticElements?
  ) {
    let heading = TrueHeading(attitude.attitudeAngles.heading)
    e.trueHeading = heading
    e.trueHeadingAccuracy = Angle(radians: min(.pi, 2 * sigma))
    (e.magneticHeading, e.headingAccuracy) = (nil, nil)
    guard let elements else { return }
    e.magneticHeading = elements.magneticHeading(of: heading)
    e.headingAccuracy = e.trueHeadingAccuracy
    e.isDeclinationOutOfDate = elements.isOutOfDate
    e.attitude =
      Rotation<EarthFrame, MagneticEarthFrame>(
        rotationVector: SIMD3(0, 0, -elements.declination.radians)) * attitude
  }
}

import EarthModel
import Fusion
import Quantities
import RealModule

/// The fused position and velocity, and what inertial navigation and the attitude filter say to each other.
extension Pipeline {
  /// Interval at which the attitude filter's heading is given to the position filter, s.
  static let guidingInterval = 0.1

  /// Gives each filter what the other knows.
  mutating func guide(at t: Timestamp) {
    let isDue = guided.map { t.seconds(since: $0) >= Self.guidingInterval } ?? true
    guard isDue || navigation.inertialSolution != nil, let solution = attitude.solution,
      solution.isLevelKnown
    else { return }
    let north = compassNorth(solution)
    if isDue {
      guided = t
      navigation.orient(
        solution.attitude, north: north, rateBias: attitude.gyroscopeBias.radiansPerSecond,
        isAtRest: attitude.isAtRest, at: t)
    }
    if let north, let inertial = navigation.inertialSolution {
      attitude.aid(by: inertial, declination: Angle(radians: north.declination))
    }
  }

  /// From true north to the compass's north, with one sigma of the heading, rad; nil without a heading or declination.
  private func compassNorth(
    _ solution: AttitudeSolution
  ) -> (declination: Double, sigma: Double)? {
    guard solution.isHeadingKnown, let elements = north.elements,
      let accuracy = accuracy(of: solution)
    else { return nil }
    let deviation = vehicle?.deviation(
      forCompassHeading: solution.attitude.attitudeAngles.heading)
    let turn = elements.declination.radians + (deviation?.angle.radians ?? 0)
    return (turn, accuracy.radians / 2)
  }

  /// Time without a fix after which a position is dead reckoning, s.
  private var outage: Double { navigation.parameters.briefOutage }

  /// Whether the filter knows more than the receiver's newest epoch: with inertial samples, and in an outage.
  func replacesReceiver(_ fused: PositionSolution) -> Bool {
    fused.isInertial || fused.fixAgeSeconds > outage
  }

  /// The speed over ground, m/s: the receiver's own while it is recent; nil where it is unknown.
  func speed(at t: Timestamp) -> Double? {
    if let fix = place.fix, let speed = fix.speedMetresPerSecond,
      t.seconds(since: fix.timestamp) <= outage
    {
      return speed
    }
    return navigation.solution(at: t)?.speedMetresPerSecond
  }

  /// Completes an estimate that has the receiver's newest solution.
  func describePosition(_ e: inout Estimate, _ fused: PositionSolution) {
    if fused.fixAgeSeconds > outage {
      // What began with a simulated place stays one.
      e.fixKind = place.fix?.kind == .simulated ? .simulated : .deadReckoning
      // A new position each second, for those who take each once.
      e.fixTimestamp = fused.fixTimestamp.advanced(
        bySeconds: fused.fixAgeSeconds.rounded(.down))
    }
    guard e.fixKind != nil, e.fixKind != FixKind.none else { return }
    if fused.fixAgeSeconds > outage { e.outageSeconds = fused.fixAgeSeconds }
    if let fix = place.fix, fix.timestamp > fused.fixTimestamp,
      e.timestamp.seconds(since: fix.timestamp) <= outage
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
    e.speedMetresPerSecond = fused.speedMetresPerSecond
    e.course = fused.course
    e.speedAccuracyMetresPerSecond = fused.speedAccuracyMetresPerSecond
    e.courseAccuracy = fused.course == nil ? nil : fused.courseAccuracy
  }

  /// The heading of a vehicle without a compass, by its course: attitude and headings of inertial navigation.
  func describeCourseHeading(_ e: inout Estimate) {
    guard navigation.isVehicle, let inertial = navigation.inertialSolution,
      let elements = north.elements, inertial.headingSigma < 0.35
    else { return }
    let heading = TrueHeading(inertial.attitude.attitudeAngles.heading)
    let sigma = (inertial.headingSigma * inertial.headingSigma + 0.02 * 0.02).squareRoot()
    e.attitudeMode = .gyroscopeAccelerometerAndCourse
    e.trueHeading = heading
    e.trueHeadingAccuracy = Angle(radians: min(.pi, 2 * sigma))
    e.magneticHeading = elements.magneticHeading(of: heading)
    e.headingAccuracy = e.trueHeadingAccuracy
    e.isDeclinationOutOfDate = elements.isOutOfDate
    e.attitude =
      Rotation<EarthFrame, MagneticEarthFrame>(
        rotationVector: SIMD3(0, 0, -elements.declination.radians)) * inertial.attitude
  }
}

import EarthModel
import Fusion
import Quantities
import RealModule

/// The headings of a receiver with two antennas in the estimate.
extension Pipeline {
  /// Time after which a heading that no gyroscope carries on is not shown, s.
  private static let longestDirectAge = 3.0
  /// Unknown rate of turn between two headings without a gyroscope, one sigma, rad/s.
  private static let unseenRate = 0.05

  /// Uses a true heading of the receiver.
  /// - Returns: The heading for boards without other sensors: that of the bow with its accuracy;
  ///   nil where it is not believed.
  mutating func join(_ received: HeadingSample) -> HeadingSample? {
    guard let real = received.true else { return received }
    let solution = attitude.solution
    var sample = received
    if let solution, solution.isLevelKnown, let direction = antennaHeadings.direction {
      sample.true = TrueHeading(
        (real.angle - Self.turn(ofBaseline: direction, by: solution.attitude.attitudeAngles))
          .wrappedToTurn)
    }
    let compass = solution.flatMap { compassNorth($0) }
    let heading = antennaHeadings.add(
      sample, course: courseNow(at: sample.timestamp),
      rateOfTurn: solution?.rateOfTurn?.radiansPerSecond,
      compass: solution.flatMap { solution in
        compass.map {
          let magnetic = solution.attitude.attitudeAngles.heading
          return (TrueHeading((magnetic + Angle(radians: $0.turn)).wrappedToTurn), $0.sigma)
        }
      })
    guard let heading else {
      // One heading with a wrong baseline length does not invalidate the others.
      if !antennaHeadings.areBelieved { antennaNorth = AntennaNorth() }
      return nil
    }
    if let sigma = heading.sigma, let solution, solution.isLevelKnown, hasGyroscope(solution),
      abs(sample.timestamp.seconds(since: solution.timestamp)) < 0.5
    {
      antennaNorth.update(
        heading.heading, sigma: Angle(radians: sigma), with: attitude, at: sample.timestamp)
      if let elevation = sample.antennas?.elevation, let direction = antennaHeadings.direction {
        // As with positions, the vertical error of a baseline is twice the horizontal one.
        antennaTilt.update(
          elevation: elevation,
          sigma: sample.antennas?.elevationAccuracy ?? Angle(radians: 2 * sigma),
          direction: direction, with: &attitude, at: sample.timestamp)
      }
    }
    var joined = sample
    joined.true = heading.heading
    if sample.antennas != nil, let newest = antennaHeadings.newest, newest.at == sample.timestamp {
      joined.accuracy = Angle(radians: newest.sigma)
    }
    return joined
  }

  /// How far heel and pitch turn the horizontal direction of a baseline that is not along the bow,
  /// clockwise.
  private static func turn(ofBaseline direction: Angle, by angles: AttitudeAngles) -> Angle {
    let (forward, right) = (Double.cos(direction.radians), Double.sin(direction.radians))
    let (roll, pitch) = (angles.roll.radians, angles.pitch.radians)
    let x = Double.cos(pitch) * forward + Double.sin(pitch) * Double.sin(roll) * right
    let y = Double.cos(roll) * right
    return (Angle(radians: Double.atan2(y: y, x: x)) - direction).wrappedToHalfTurn
  }

  /// Carries the antennas' heading on to the newest inertial sample.
  mutating func followAntennas() {
    guard antennaNorth.isOn, let solution = attitude.solution else { return }
    guard hasGyroscope(solution) else {
      // The attitude's heading is now that of another filter.
      antennaNorth = AntennaNorth()
      return
    }
    antennaNorth.follow(attitude)
    if solution.mode == .nineAxis, let compass = compassNorth(solution) {
      antennaNorth.update(
        compassTurn: Angle(radians: compass.turn), sigma: Angle(radians: compass.sigma),
        at: solution.timestamp)
    }
  }

  private func hasGyroscope(_ solution: AttitudeSolution) -> Bool {
    solution.mode == .nineAxis || solution.mode == .gyroscopeAndAccelerometer
  }

  /// The receiver's course, while it is recent and meaningful.
  private func courseNow(at t: Timestamp) -> (angle: Angle, metresPerSecond: Double)? {
    guard let fix = place.fix, t.seconds(since: fix.timestamp) <= 1.5, let course = fix.course,
      let speed = fix.speedMetresPerSecond
    else { return nil }
    return (course, speed)
  }

  /// Replaces the headings by the fused one, where the antennas contribute to it.
  func describeAntennaHeading(_ e: inout Estimate, _ solution: AttitudeSolution) {
    let mounting = antennaHeadings.mountingSigma
    if solution.isLevelKnown, let north = antennaNorth.value(at: solution.timestamp) {
      let sigma = Self.together(north.sigma, mounting)
      // A vehicle's course may be better after a long outage.
      if e.attitudeMode == .gyroscopeAccelerometerAndCourse,
        let accuracy = e.trueHeadingAccuracy, accuracy.radians <= 2 * sigma
      {
        return
      }
      e.attitudeMode = .gyroscopeAccelerometerAndAntennas
      describeHeading(&e, turned(solution, by: north.radians), sigma, self.north.elements)
      e.deviation = nil
      e.compassContradiction = nil
      return
    }
    // Without a gyroscope the heading is that of the newest message.
    guard !hasGyroscope(solution), let newest = antennaHeadings.newest else { return }
    let age = e.timestamp.seconds(since: newest.at)
    guard age <= Self.longestDirectAge else { return }
    let sigma = directSigma(newest.sigma, rate: newest.rate, age: age)
    if solution.isHeadingKnown, let accuracy = e.trueHeadingAccuracy ?? e.headingAccuracy,
      accuracy.radians <= 2 * sigma
    {
      return
    }
    let own = solution.attitude.attitudeAngles.heading.radians
    describeHeading(
      &e, turned(solution, by: newest.heading.angle.radians - own), sigma, self.north.elements)
  }

  /// One sigma of a heading that is some time old, rad.
  func directSigma(_ sigma: Double, rate: Double, age: Double) -> Double {
    let unseen = (abs(rate) + Self.unseenRate) * max(0, age)
    return Self.together(sigma, unseen)
  }

  private func turned(
    _ solution: AttitudeSolution, by radians: Double
  ) -> Rotation<BodyFrame, EarthFrame> {
    Rotation<MagneticEarthFrame, EarthFrame>(rotationVector: SIMD3(0, 0, radians))
      * solution.attitude
  }
}

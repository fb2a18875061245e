import Quantities
import RealModule

/// The heading with its accuracy, and the course over ground beside it.
package struct HeadingTrack: Equatable, Sendable {
  /// A course is compared at this speed or above, m/s: below it a receiver's course is mostly
  /// noise.
  package static let leastSpeed = 1.0
  /// The greatest number of courses that are drawn.
  private static let mostCourses = 700

  /// The heading of one north.
  package struct North: Equatable, Sendable {
    /// The heading, degrees without jumps.
    package var series = DecimatedSeries()
    /// The heading less and plus its 95 % accuracy.
    package var lower = DecimatedSeries()
    package var upper = DecimatedSeries()
    /// The accuracy, degrees, by time.
    package var accuracy = WeightedHistogram(0...180, width: 0.05)
    /// The time for which it is known, s.
    package var seconds = 0.0
    /// The course less the heading, degrees, by fixes above the least speed.
    package var difference = WeightedHistogram(-180...180, width: 0.02)
    /// The courses, degrees, near the heading.
    package var courses: [PlotPoint] = []
    private var angle = ContinuousAngle()
    private var stride = 1
    private var count = 0

    fileprivate mutating func add(
      _ heading: Angle?, _ accuracy: Angle?, _ time: Double, _ weight: Double
    ) {
      guard let heading else {
        series.interrupt()
        lower.interrupt()
        return upper.interrupt()
      }
      seconds += weight
      let value = angle.next(heading.degrees)
      series.add(value, at: time)
      guard let accuracy else {
        lower.interrupt()
        return upper.interrupt()
      }
      self.accuracy.add(accuracy.degrees, weight: weight)
      lower.add(value - accuracy.degrees, at: time)
      upper.add(value + accuracy.degrees, at: time)
    }

    fileprivate mutating func add(course: Angle, _ heading: Angle?, _ time: Double) {
      if let heading { difference.add((course - heading).wrappedToHalfTurn.degrees) }
      defer { count += 1 }
      guard count % stride == 0 else { return }
      if courses.count >= HeadingTrack.mostCourses {
        courses = courses.indices.filter { $0 % 2 == 0 }.map { courses[$0] }
        stride *= 2
        guard count % stride == 0 else { return }
      }
      courses.append(PlotPoint(x: time, y: angle.nearest(course.degrees)))
    }
  }

  package private(set) var magnetic = North()
  package private(set) var real = North()
  /// All time, s.
  package private(set) var seconds = 0.0
  /// The number of fixes, and of those above the least speed with a course.
  package private(set) var fixes = 0
  package private(set) var courses = 0

  /// The courses above the least speed, degrees without jumps: how far a vehicle has turned.
  package private(set) var turned = WeightedHistogram(-720...720, width: 1)
  private var courseAngle = ContinuousAngle()

  /// By how much the compass contradicted the course, degrees, by the time for which it did.
  package private(set) var contradiction = WeightedHistogram(0...180, width: 0.5)
  /// By how much gravity contradicted the tilt, degrees, by the time for which it did.
  package private(set) var tiltContradiction = WeightedHistogram(0...180, width: 0.5)

  /// The axes or the unit that physics contradicted last.
  package private(set) var inputFault: InputVerdicts.Fault?

  /// The heading that is shown: true where it is known for most of the time, as the course is.
  package var shown: North { isTrue ? real : magnetic }
  package var isTrue: Bool { real.seconds > 0.5 * magnetic.seconds && real.seconds > 0 }

  mutating func add(_ estimate: Estimate, at time: Double, for weight: Double) {
    seconds += weight
    inputFault = estimate.inputs?.fault ?? inputFault
    if let angle = estimate.compassContradiction {
      contradiction.add(abs(angle.degrees), weight: weight)
    }
    if let angle = estimate.tiltContradiction {
      tiltContradiction.add(angle.degrees, weight: weight)
    }
    magnetic.add(estimate.magneticHeading?.angle, estimate.headingAccuracy, time, weight)
    real.add(estimate.trueHeading?.angle, estimate.trueHeadingAccuracy, time, weight)
  }

  mutating func addCourse(_ estimate: Estimate, at time: Double) {
    guard estimate.position != nil else { return }
    fixes += 1
    guard let course = estimate.course,
      estimate.speedMetresPerSecond ?? 0 >= Self.leastSpeed
    else { return }
    courses += 1
    turned.add(courseAngle.next(course.degrees))
    magnetic.add(course: course, estimate.magneticHeading?.angle, time)
    real.add(course: course, estimate.trueHeading?.angle, time)
  }
}

/// The rate of turn.
package struct TurnTrack: Equatable, Sendable {
  /// Degrees a second, clockwise.
  package private(set) var series = DecimatedSeries()
  /// Its magnitude by time.
  package private(set) var magnitude = WeightedHistogram(0...2000, width: 0.05)
  /// The fastest turn with its time; nil without any.
  package private(set) var fastest: (rate: Double, time: Double)?

  mutating func add(_ estimate: Estimate, at time: Double, for weight: Double) {
    guard let rate = estimate.rateOfTurn?.degreesPerSecond else { return series.interrupt() }
    series.add(rate, at: time)
    magnitude.add(abs(rate), weight: weight)
    if abs(rate) > abs(fastest?.rate ?? 0) || fastest == nil { fastest = (rate, time) }
  }

  /// True if both are equal.
  package static func == (a: Self, b: Self) -> Bool {
    a.series == b.series && a.magnitude == b.magnitude
  }
}

/// Roll, pitch and the tilt from level.
package struct TiltTrack: Equatable, Sendable {
  /// Degrees; roll without jumps.
  package private(set) var roll = DecimatedSeries()
  package private(set) var pitch = DecimatedSeries()
  /// The angle between the body's vertical and the plumb line, degrees, by time.
  package private(set) var tilt = WeightedHistogram(0...180, width: 0.02)
  /// Roll and pitch by time, degrees.
  package private(set) var rolls = WeightedHistogram(-180...180, width: 0.02)
  package private(set) var pitches = WeightedHistogram(-90...90, width: 0.02)
  /// The greatest tilt with its time; nil without any.
  package private(set) var greatest: (degrees: Double, time: Double)?
  private var angle = ContinuousAngle()

  mutating func add(_ estimate: Estimate, at time: Double, for weight: Double) {
    guard estimate.isLevelKnown, let attitude = estimate.attitude else {
      roll.interrupt()
      return pitch.interrupt()
    }
    let angles = attitude.attitudeAngles
    let down = attitude.rows.2
    let degrees =
      Double.atan2(y: (down.x * down.x + down.y * down.y).squareRoot(), x: down.z) * 180 / .pi
    roll.add(angle.next(angles.roll.degrees), at: time)
    pitch.add(angles.pitch.degrees, at: time)
    tilt.add(degrees, weight: weight)
    rolls.add(angles.roll.degrees, weight: weight)
    pitches.add(angles.pitch.degrees, weight: weight)
    if degrees > greatest?.degrees ?? -1 { greatest = (degrees, time) }
  }

  /// True if both are equal.
  package static func == (a: Self, b: Self) -> Bool {
    a.roll == b.roll && a.pitch == b.pitch && a.tilt == b.tilt
  }
}

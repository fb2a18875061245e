import Quantities

/// What compass and receiver said together while a vehicle went along.
public struct DeviationEpoch: Equatable, Sendable {
  /// When the field was measured; the course is that of the same time.
  public var timestamp: Timestamp
  /// The field in body axes turned level by roll and pitch, microtesla: x forward, y right; calibrated or
  /// raw, but always the same. A raw field whose iron outdoes the earth's must not be turned by each
  /// roll and pitch, which swings the iron about (measured on two drives with 80 and 165 microtesla: the
  /// median error is 5.5 and 10.7 degrees instead of 3.7 and 4.8): turn it by the mean attitude only.
  public var levelField: SIMD2<Double>
  /// Over ground, clockwise from magnetic north: the declination is already taken out.
  public var course: Angle
  /// One sigma of the course; nil where the receiver does not tell it.
  public var courseAccuracy: Angle?
  /// Over ground, m/s.
  public var speedMetresPerSecond: Double
  /// Of the body about down.
  public var rateOfTurn: AngularSpeed
  /// Of the body's down from where it mostly is: what leans, brakes or bumps is not level.
  public var tilt: Angle

  /// Makes an epoch.
  public init(
    timestamp: Timestamp, levelField: SIMD2<Double>, course: Angle, courseAccuracy: Angle? = nil,
    speedMetresPerSecond: Double, rateOfTurn: AngularSpeed, tilt: Angle
  ) {
    (self.timestamp, self.levelField) = (timestamp, levelField)
    (self.course, self.courseAccuracy) = (course, courseAccuracy)
    self.speedMetresPerSecond = speedMetresPerSecond
    (self.rateOfTurn, self.tilt) = (rateOfTurn, tilt)
  }

  /// True where every number is finite.
  var isFinite: Bool {
    levelField.x.isFinite && levelField.y.isFinite && course.radians.isFinite
      && (courseAccuracy?.radians.isFinite ?? true) && speedMetresPerSecond.isFinite
      && rateOfTurn.radiansPerSecond.isFinite && tilt.radians.isFinite
  }
}

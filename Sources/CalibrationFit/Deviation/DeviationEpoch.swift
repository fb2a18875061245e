import Quantities

/// Compass and receiver data of one time while a vehicle moves.
public struct DeviationEpoch: Equatable, Sendable {
  /// The time of field and course.
  public var timestamp: Timestamp
  /// The field in body axes rotated to level by roll and pitch, microtesla: x forward, y right;
  /// calibrated or raw, but always the same. A raw field with iron stronger than the earth's must
  /// be rotated by the mean attitude only, since each roll and pitch would also rotate the iron
  /// (measured on two drives with 80 and 165 microtesla: the median error is 5.5 and 10.7 degrees
  /// instead of 3.7 and 4.8).
  public var levelField: SIMD2<Double>
  /// Course over ground, clockwise from magnetic north: the declination is already subtracted.
  public var course: Angle
  /// One sigma of the course; nil if the receiver does not report it.
  public var courseAccuracy: Angle?
  /// Speed over ground, m/s.
  public var speedMetresPerSecond: Double
  /// Rate of turn of the body about down.
  public var rateOfTurn: AngularSpeed
  /// Angle of the body's down from its usual direction: a body that heels, brakes or bumps is not
  /// level.
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

  /// True if every number is finite.
  var isFinite: Bool {
    levelField.x.isFinite && levelField.y.isFinite && course.radians.isFinite
      && (courseAccuracy?.radians.isFinite ?? true) && speedMetresPerSecond.isFinite
      && rateOfTurn.radiansPerSecond.isFinite && tilt.radians.isFinite
  }
}

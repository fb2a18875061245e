import Quantities

// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221, as pyubx2
//   1.4.0 and SparkFun's u-blox GNSS library 3 quote it.

/// NAV-VELNED (0x01 0x12): the velocity.
public struct NavVelNED: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 36 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// Velocity along north, east and down.
  public var velocity: Velocity<EarthFrame>
  /// Speed in three dimensions.
  public var spatialSpeedMetresPerSecond: Double
  /// Speed over ground.
  public var speedMetresPerSecond: Double
  /// Course over ground, clockwise from true north.
  public var course: Angle
  /// One sigma of the speed.
  public var speedAccuracyMetresPerSecond: Double?
  /// One sigma of the course.
  public var courseAccuracy: Angle?

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(0)
    velocity = fields.velocity(4, per: 1e2)
    spatialSpeedMetresPerSecond = Double(fields.u4(16)) / 1e2
    speedMetresPerSecond = Double(fields.u4(20)) / 1e2
    course = fields.angle4(24, per: 1e5)
    speedAccuracyMetresPerSecond = fields.accuracy4(28, per: 1e2)
    courseAccuracy = fields.angleAccuracy4(32, per: 1e5)
  }
}

/// NAV-VELECEF (0x01 0x11): the velocity, earth-centred.
public struct NavVelECEF: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 20 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// The velocity.
  public var velocity: EarthCentredVelocity
  /// One sigma of the speed in three dimensions.
  public var speedAccuracyMetresPerSecond: Double?

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(0)
    velocity = EarthCentredVelocity(fields, at: 4)
    speedAccuracyMetresPerSecond = fields.accuracy4(16, per: 1e2)
  }
}

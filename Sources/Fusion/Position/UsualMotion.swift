/// How a body usually moves without an inertial unit, by its state of motion.
public struct UsualMotion: Equatable, Sendable {
  /// Speed, one sigma an axis, m/s: `PositionFilter.Parameters.usualSpeed`.
  public var speed: Double
  /// Acceleration that is not modelled, m/s²·√s: `PositionFilter.Parameters.accelerationNoise`.
  public var accelerationNoise: Double

  /// Makes a motion.
  public init(speed: Double, accelerationNoise: Double) {
    (self.speed, self.accelerationNoise) = (speed, accelerationNoise)
  }
}

/// The largest value that each sensor of a board can show along an axis; nil where it is not known and is
/// found in the data. A value at it is a bound, not a measurement.
public struct SensorFullScale: Equatable, Sendable {
  /// Angular rate, radians per second.
  public var radiansPerSecond: Double?
  /// Specific force, metres per second squared.
  public var metresPerSecondSquared: Double?
  /// Field, microtesla; nil: the driver withholds what is at the limit.
  public var microtesla: Double?

  /// Makes full scales; what is left out is found in the data.
  public init(
    radiansPerSecond: Double? = nil, metresPerSecondSquared: Double? = nil,
    microtesla: Double? = nil
  ) {
    self.radiansPerSecond = radiansPerSecond
    self.metresPerSecondSquared = metresPerSecondSquared
    self.microtesla = microtesla
  }
}

/// The limits of a board's sensors along an axis; nil: unknown and detected from the data. A value
/// at the limit is a bound, not a measurement.
public struct SensorFullScale: Equatable, Sendable {
  /// Angular rate, radians per second.
  public var radiansPerSecond: Double?
  /// Specific force, metres per second squared.
  public var metresPerSecondSquared: Double?
  /// Field, microtesla; nil: the driver does not report samples at the limit.
  public var microtesla: Double?

  /// Makes full scales; a missing one is detected from the data.
  public init(
    radiansPerSecond: Double? = nil, metresPerSecondSquared: Double? = nil,
    microtesla: Double? = nil
  ) {
    self.radiansPerSecond = radiansPerSecond
    self.metresPerSecondSquared = metresPerSecondSquared
    self.microtesla = microtesla
  }
}

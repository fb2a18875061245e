import Quantities

/// What wind, water and weather instruments on the receiver's line say. Absent means not measured.
public struct Environment: Equatable, Sendable {
  /// Water below the transducer, metres.
  public var depthMetres: Double?
  /// Of the water, degrees Celsius.
  public var waterCelsius: Double?
  /// Of the air, degrees Celsius.
  public var airCelsius: Double?
  /// Of the air, hectopascals.
  public var pressureHectopascal: Double?
  /// Of the air, per cent.
  public var relativeHumidityPercent: Double?
  /// Where the apparent wind comes from, clockwise from the bow.
  public var apparentWindAngle: Angle?
  /// Of the apparent wind, metres per second.
  public var apparentWindMetresPerSecond: Double?
  /// Where the true wind comes from, clockwise from true north.
  public var trueWindDirection: Angle?
  /// Where the true wind comes from, clockwise from magnetic north.
  public var magneticWindDirection: Angle?
  /// Of the true wind, metres per second.
  public var trueWindMetresPerSecond: Double?
  /// Through the water, ahead, metres per second.
  public var waterSpeedMetresPerSecond: Double?

  /// Nothing is known.
  public init() {}

  /// True where nothing was measured.
  public var isEmpty: Bool { self == Environment() }
}

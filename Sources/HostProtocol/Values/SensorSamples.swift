public import Quantities

/// What the daemon's sensors tell of one instant, along their own axes, as the chips tell it.
public struct SensorSamples: Equatable, Sendable {
  /// The instant.
  public var timestamp: Timestamp
  /// Rate, specific force or both; nil for none.
  public var inertial: InertialSample<SensorFrame>?
  /// The field before any calibration; nil for none.
  public var field: FieldSample<SensorFrame>?
  /// Static pressure; nil for none.
  public var pressure: PressureSample?

  /// Makes an instant of what there is.
  public init(
    timestamp: Timestamp, inertial: InertialSample<SensorFrame>? = nil,
    field: FieldSample<SensorFrame>? = nil, pressure: PressureSample? = nil
  ) {
    self.timestamp = timestamp
    self.inertial = inertial
    self.field = field
    self.pressure = pressure
  }
}

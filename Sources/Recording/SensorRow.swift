import Quantities

/// All that one instant of a recording holds, in sensor axes.
public struct SensorRow: Equatable, Sendable {
  /// The instant on the recording's clock.
  public var timestamp: Timestamp
  /// Rate, specific force or both.
  public var inertial: InertialSample<SensorFrame>?
  /// The raw or calibrated field; the file does not say which.
  public var field: FieldSample<SensorFrame>?
  /// Static pressure.
  public var pressure: PressureSample?
  /// What a compass on the receiver's line says.
  public var heading: HeadingSample?
  /// A receiver's epoch.
  public var fix: Fix?
  /// A load beside the sensors, such as a motor's current, in the unit of whoever tells it.
  public var load: Double?

  /// Makes an instant that holds nothing yet.
  public init(timestamp: Timestamp) { self.timestamp = timestamp }
}

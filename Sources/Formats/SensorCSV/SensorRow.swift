import Quantities

/// One instant of a recording, in sensor axes.
public struct SensorRow: Equatable, Sendable {
  /// The instant on the recording's clock.
  public var timestamp: Timestamp
  /// Rate, specific force or both.
  public var inertial: InertialSample<SensorFrame>?
  /// The field, raw or calibrated: the file does not distinguish.
  public var field: FieldSample<SensorFrame>?
  /// Static pressure.
  public var pressure: PressureSample?
  /// The heading of a compass on the receiver's line.
  public var heading: HeadingSample?
  /// A receiver's epoch.
  public var fix: Fix?
  /// An electric load near the sensors, such as a motor's current, in the unit of its source.
  public var load: Double?

  /// Makes an instant without values.
  public init(timestamp: Timestamp) { self.timestamp = timestamp }
}

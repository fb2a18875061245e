import Quantities

/// A chip's reading of one quantity at one instant.
public enum Reading<Value> {
  /// A measured value.
  case value(Value)
  /// The quantity is outside the chip's range.
  case saturated

  /// The measured value; nil where there is none.
  @inlinable
  public var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension Reading: Equatable where Value: Equatable {}
extension Reading: Sendable where Value: Sendable {}

/// One sample of an inertial unit, along the chip's own axes.
public struct InertialReading: Equatable, Sendable {
  /// The angular rate; nil where the unit has no gyroscope or nothing new.
  public var angularRate: Reading<AngularRate<SensorFrame>>?
  /// The specific force; nil where the unit has no accelerometer or nothing new.
  public var specificForce: Reading<SpecificForce<SensorFrame>>?
  /// The instant of the measurement, where its source stamps samples; nil: the reader stamps it.
  public var timestamp: Timestamp?

  /// Makes a sample of what there is.
  @inlinable
  public init(
    angularRate: Reading<AngularRate<SensorFrame>>?,
    specificForce: Reading<SpecificForce<SensorFrame>>?, timestamp: Timestamp? = nil
  ) {
    self.angularRate = angularRate
    self.specificForce = specificForce
    self.timestamp = timestamp
  }
}

/// One conversion of a barometer.
public struct PressureReading: Equatable, Sendable {
  /// Static pressure, hectopascal.
  public var hectopascal: Double
  /// The chip's own temperature, degrees Celsius.
  public var celsius: Double

  /// Makes a reading.
  @inlinable
  public init(hectopascal: Double, celsius: Double) {
    self.hectopascal = hectopascal
    self.celsius = celsius
  }
}

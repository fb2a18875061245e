import Quantities

/// The field of an electric load: the current of a motor, a heater or a processor.
public struct StoredLoad: Equatable, Sendable {
  /// The load's name in its source.
  public var load: String
  /// The load's unit, such as `A`, `W` or `share`.
  public var unit: String
  /// The field in sensor axes, microtesla for each unit.
  public var fieldMicroteslaPerUnit: SIMD3<Double>

  /// Makes an interference.
  public init(load: String, unit: String, fieldMicroteslaPerUnit: SIMD3<Double>) {
    (self.load, self.unit) = (load, unit)
    self.fieldMicroteslaPerUnit = fieldMicroteslaPerUnit
  }
}

/// The coefficients of a deviation model, from course over ground or a compass swing. The model
/// defines their meaning.
public struct StoredDeviation: Equatable, Sendable {
  /// The model's name.
  public var model: String
  /// The coefficients, in the model's order and units.
  public var coefficients: [Double]
  /// The covariance, rows first; its order may differ from the number of coefficients.
  public var covariance: [Double]
  /// The arc of headings that it was computed from, degrees.
  public var coverageDegrees: Double
  /// The time of its last update.
  public var made: UTCTime

  /// Makes a deviation.
  public init(
    model: String, coefficients: [Double], covariance: [Double], coverageDegrees: Double,
    made: UTCTime
  ) {
    (self.model, self.coefficients, self.covariance) = (model, coefficients, covariance)
    (self.coverageDegrees, self.made) = (coverageDegrees, made)
  }
}

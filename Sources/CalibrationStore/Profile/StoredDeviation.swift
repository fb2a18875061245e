import Quantities

/// What a load adds to the field while it runs: a motor's or a heater's current, a processor's.
public struct StoredLoad: Equatable, Sendable {
  /// The load's name, as whoever tells it calls it.
  public var load: String
  /// The unit in which the load is told, `A` or `W` or `share`.
  public var unit: String
  /// The field in sensor axes, microtesla for each unit.
  public var fieldMicroteslaPerUnit: SIMD3<Double>

  /// Makes an interference.
  public init(load: String, unit: String, fieldMicroteslaPerUnit: SIMD3<Double>) {
    (self.load, self.unit) = (load, unit)
    self.fieldMicroteslaPerUnit = fieldMicroteslaPerUnit
  }
}

/// A deviation model as it was learnt from course over ground. What the coefficients mean is the model's
/// affair; its name tells which one they are for.
public struct StoredDeviation: Equatable, Sendable {
  /// The model's name.
  public var model: String
  /// Its numbers, in its order and units.
  public var coefficients: [Double]
  /// Their covariance, rows first; as many rows as the covariance has of them, which may be more or fewer
  /// than the coefficients.
  public var covariance: [Double]
  /// How much of the circle it was learnt on, degrees.
  public var coverageDegrees: Double
  /// When it was learnt last.
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

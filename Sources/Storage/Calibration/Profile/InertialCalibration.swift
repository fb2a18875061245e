import Quantities

/// A gyroscope's own errors: `rate = scale * (raw - bias(T))`, along the sensor's axes.
public struct StoredGyroscope: Equatable, Sendable {
  /// The output at rest at the reference temperature, rad/s.
  public var biasRadiansPerSecond: SIMD3<Double>
  /// The scale factor of each axis.
  public var scale: SIMD3<Double>
  /// The change of the bias with the temperature, rad/s for each kelvin.
  public var biasSlopeRadiansPerSecondKelvin: SIMD3<Double>?
  /// The reference temperature of the bias, degrees Celsius.
  public var referenceTemperatureCelsius: Double?

  /// Makes a calibration.
  public init(
    biasRadiansPerSecond: SIMD3<Double>, scale: SIMD3<Double> = SIMD3(1, 1, 1),
    biasSlopeRadiansPerSecondKelvin: SIMD3<Double>? = nil,
    referenceTemperatureCelsius: Double? = nil
  ) {
    (self.biasRadiansPerSecond, self.scale) = (biasRadiansPerSecond, scale)
    self.biasSlopeRadiansPerSecondKelvin = biasSlopeRadiansPerSecondKelvin
    self.referenceTemperatureCelsius = referenceTemperatureCelsius
  }
}

/// An accelerometer's own errors: `force = matrix * (raw - bias)`, along the sensor's axes.
public struct StoredAccelerometer: Equatable, Sendable {
  /// The output in free fall, m/s².
  public var biasMetresPerSecondSquared: SIMD3<Double>
  /// Corrects scale and misalignment, dimensionless.
  public var matrix: Matrix3

  /// Makes a calibration.
  public init(biasMetresPerSecondSquared: SIMD3<Double>, matrix: Matrix3 = .identity) {
    (self.biasMetresPerSecondSquared, self.matrix) = (biasMetresPerSecondSquared, matrix)
  }
}

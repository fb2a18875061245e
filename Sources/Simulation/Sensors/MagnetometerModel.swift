import Quantities

/// A magnetometer and the iron about it: `reading = distortion * field + hardIron + noise`.
public struct MagnetometerModel: Equatable, Sendable {
  /// Samples per second.
  public var rateHertz: Double
  /// Soft iron, scale and cross-axis errors, dimensionless.
  public var distortion: Matrix3
  /// The field that moves with the sensor, microtesla in sensor axes.
  public var hardIron: MagneticField<SensorFrame>
  /// The misalignment to the inertial unit's axes: a rotation vector, radians.
  public var misalignment: SIMD3<Double>
  /// One sigma of a sample's white noise, microtesla.
  public var noiseMicrotesla: Double
  /// The age of a sample's field at its timestamp, seconds.
  public var lagSeconds: Double
  /// Range and resolution, microtesla.
  public var limits: ReadingLimits

  /// Makes a magnetometer; omitted errors are zero.
  public init(
    rateHertz: Double = 50, distortion: Matrix3 = .identity,
    hardIron: MagneticField<SensorFrame> = .zero, misalignment: SIMD3<Double> = .zero,
    noiseMicrotesla: Double = 0, lagSeconds: Double = 0, limits: ReadingLimits = ReadingLimits()
  ) {
    self.rateHertz = rateHertz
    self.distortion = distortion
    self.hardIron = hardIron
    self.misalignment = misalignment
    self.noiseMicrotesla = noiseMicrotesla
    self.lagSeconds = lagSeconds
    self.limits = limits
  }

  /// A magnetometer without any error.
  public static var ideal: MagnetometerModel { MagnetometerModel() }

  /// A calibrated magnetometer with remaining errors of a quarter of a microtesla and half a
  /// percent.
  /// - Source: step and range: TDK DS-000189 (ICM-20948) revision 1.3, table 3. Noise: ST LIS3MDL
  ///   data sheet DocID024204, table 3 (3.2 mgauss root mean square). Lag: half of a 100 Hz
  ///   conversion period.
  public static var calibrated: MagnetometerModel {
    MagnetometerModel(
      distortion: Matrix3(
        rows: SIMD3(1.003, 0.002, -0.001), SIMD3(0.002, 0.998, 0.001), SIMD3(-0.001, 0.001, 1.002)),
      hardIron: MagneticField(microtesla: SIMD3(0.15, -0.1, 0.2)),
      misalignment: SIMD3(0.002, -0.001, 0.003), noiseMicrotesla: 0.32, lagSeconds: 0.005,
      limits: ReadingLimits(fullScale: 4900, step: 0.15))
  }

  /// The same sensor before calibration, between a battery and a steel screw.
  ///
  /// The offset lies within the ±300 µT that TDK DS-000189 table 3 allows the bare chip; the
  /// distortion is of the size that boards with ferrous parts show (axes differ by some ten
  /// percent).
  public static var uncalibrated: MagnetometerModel {
    var model = calibrated
    model.distortion = Matrix3(
      rows: SIMD3(1.08, 0.03, -0.02), SIMD3(0.03, 0.94, 0.015), SIMD3(-0.02, 0.015, 1.03))
    model.hardIron = MagneticField(microtesla: SIMD3(28, -17, 36))
    return model
  }

  /// The exact calibration of distortion, hard iron and misalignment; nil if the distortion is
  /// singular.
  public var perfectCalibration: MagnetometerCalibration? {
    guard let undone = distortion.inverse else { return nil }
    return MagnetometerCalibration(
      softIron: Matrix3(alignment.inverse) * undone, hardIron: hardIron, quality: .good)
  }

  /// From the inertial unit's axes to the magnetometer's.
  var alignment: Rotation<SensorFrame, SensorFrame> { Rotation(rotationVector: misalignment) }

  func reading(
    of field: MagneticField<SensorFrame>, random: inout RandomStream
  ) -> MagneticField<SensorFrame> {
    let noise = random.gaussianVector() * noiseMicrotesla
    let distorted = distortion * alignment.rotate(field.microtesla)
    return MagneticField(microtesla: limits(distorted + hardIron.microtesla + noise))
  }
}

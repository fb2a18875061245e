import Quantities

extension ChipSettings {
  /// The angular rate, radians per second, that a board in a hand or on a runner does not exceed:
  /// the default ranges hold it, so that samples are not clipped. A smaller range is clipped in a
  /// stumble, a larger one has coarser steps.
  static var handHeldRate: Double { 1000 * Unit.degree }
  /// The same for the specific force, metres per second squared. A runner's steps have 4 to 6 g at
  /// the waist.
  static var handHeldForce: Double { 8 * Unit.gravity }

  /// Counts of a 16-bit and of a 12-bit converter at their limit.
  private static var bits16: Double { 32_767 }
  private static var bits12: Double { 2_047 }

  /// These settings with the default ranges of an inertial unit where none is set.
  public var withHandHeldRanges: ChipSettings {
    var settings = self
    settings.angularRateRadiansPerSecond = angularRateRadiansPerSecond ?? Self.handHeldRate
    settings.specificForceMetresPerSecondSquared =
      specificForceMetresPerSecondSquared ?? Self.handHeldForce
    return settings
  }

  /// The full scale of an inertial unit with these settings; empty for other chips.
  public func fullScale(of model: ChipModel) -> SensorFullScale {
    switch model {
    case .mpu6050, .mpu6500, .mpu9250, .mpu6886, .icm20689, .icm20602, .icm20608:
      return fullScale(MPUGyroscopeRange.self, MPUAccelerometerRange.self)
    case .lsm9ds1Inertial:
      return fullScale(LSM9DS1GyroscopeRange.self, LSM9DS1AccelerometerRange.self)
    case .icm20948, .bmi160, .bmi270, .icm42688p, .icm42605, .iim42652, .icm42670p, .bno055:
      return fullScale(SixteenBitGyroscopeRange.self, MPUAccelerometerRange.self)
    case .icm45686:
      return fullScale(ICM45686GyroscopeRange.self, ICM45686ForceRange.self)
    case .bno085:
      return SensorFullScale(
        radiansPerSecond: BNO08xReport.rateRange, metresPerSecondSquared: BNO08xReport.forceRange)
    case .wt901:
      return SensorFullScale(
        radiansPerSecond: Self.bits16 * WitMotionFrame.radiansPerSecondPerCount,
        metresPerSecondSquared: Self.bits16 * WitMotionFrame.metresPerSecondSquaredPerCount)
    case .bmx055Accelerometer:
      let force = MPUAccelerometerRange.least(for: specificForceMetresPerSecondSquared)
      return SensorFullScale(
        metresPerSecondSquared: Self.bits12 * 16 * force.metresPerSecondSquaredPerCount)
    case .qmi8658:
      return fullScale(QMI8658<NoBus>.GyroscopeRange.self, MPUAccelerometerRange.self)
    case .bmi088Accelerometer:
      let force = BMI088Accelerometer<NoBus>.Range.least(for: specificForceMetresPerSecondSquared)
      return SensorFullScale(
        metresPerSecondSquared: Self.bits16 * force.metresPerSecondSquaredPerCount)
    case .bmx055Gyroscope, .bmi088Gyroscope:
      let rate = SixteenBitGyroscopeRange.least(for: angularRateRadiansPerSecond)
      return SensorFullScale(radiansPerSecond: Self.bits16 * rate.radiansPerSecondPerCount)
    case .fxos8700:
      let force = FXOS8700Range.least(for: specificForceMetresPerSecondSquared)
      return SensorFullScale(
        metresPerSecondSquared: Self.bits16 * force.metresPerSecondSquaredPerCount)
    case .fxas21002:
      let rate = FXAS21002Range.least(for: angularRateRadiansPerSecond)
      return SensorFullScale(radiansPerSecond: Self.bits16 * rate.radiansPerSecondPerCount)
    case .lsm303d, .lsm9ds0:
      let force = LSM303DForceRange.least(for: specificForceMetresPerSecondSquared)
      return SensorFullScale(
        metresPerSecondSquared: Self.bits16 * force.metresPerSecondSquaredPerCount)
    case .lsm303dlhcAccelerometer, .lsm303agrAccelerometer:
      let force = LSM303DLHCRange.least(for: specificForceMetresPerSecondSquared)
      return SensorFullScale(
        metresPerSecondSquared: Self.bits12 * force.metresPerSecondSquaredPerCount(of: model))
    case .l3g4200d, .l3gd20, .l3gd20h:
      let rate = LSM9DS1GyroscopeRange.least(for: angularRateRadiansPerSecond)
      return SensorFullScale(radiansPerSecond: Self.bits16 * rate.radiansPerSecondPerCount)
    case .itg3205:
      return SensorFullScale(
        radiansPerSecond: Self.bits16 * ITG3205<NoBus>.radiansPerSecondPerCount)
    case .adxl345:
      return SensorFullScale(
        metresPerSecondSquared: 4095 * ADXL345<NoBus>.metresPerSecondSquaredPerCount)
    default:
      guard let variant = LSM6DSVariant.all.first(where: { $0.model == model }) else {
        return SensorFullScale()
      }
      let rate = LSM6DSGyroscopeRange.least(for: angularRateRadiansPerSecond)
      return fullScale(rate, variant.accelerometer(for: specificForceMetresPerSecondSquared).range)
    }
  }

  private func fullScale<Rate: AngularRateRange, Force: UniformForceRange>(
    _ gyroscope: Rate.Type, _ accelerometer: Force.Type
  ) -> SensorFullScale {
    fullScale(
      Rate.least(for: angularRateRadiansPerSecond),
      Force.least(for: specificForceMetresPerSecondSquared))
  }

  private func fullScale(
    _ rate: some AngularRateRange, _ force: some UniformForceRange
  ) -> SensorFullScale {
    SensorFullScale(
      radiansPerSecond: Self.bits16 * rate.radiansPerSecondPerCount,
      metresPerSecondSquared: Self.bits16 * force.metresPerSecondSquaredPerCount)
  }
}

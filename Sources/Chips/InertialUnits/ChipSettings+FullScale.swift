import Quantities

extension ChipSettings {
  /// Counts of a 16-bit and of a 12-bit converter at their limit.
  private static var bits16: Double { 32_767 }
  private static var bits12: Double { 2_047 }

  /// The full scale of an inertial unit with these settings; empty for other chips.
  public func fullScale(of model: ChipModel) -> SensorFullScale {
    switch model {
    case .mpu6050, .mpu6500, .mpu9250:
      let rate = MPUGyroscopeRange.least(for: angularRateRadiansPerSecond)
      let force = MPUAccelerometerRange.least(for: specificForceMetresPerSecondSquared)
      return SensorFullScale(
        radiansPerSecond: Self.bits16 * rate.radiansPerSecondPerCount,
        metresPerSecondSquared: Self.bits16 * force.metresPerSecondSquaredPerCount)
    case .lsm9ds1Inertial:
      let rate = LSM9DS1GyroscopeRange.least(for: angularRateRadiansPerSecond)
      let force = LSM9DS1AccelerometerRange.least(for: specificForceMetresPerSecondSquared)
      return SensorFullScale(
        radiansPerSecond: Self.bits16 * rate.radiansPerSecondPerCount,
        metresPerSecondSquared: Self.bits16 * force.metresPerSecondSquaredPerCount)
    case .lsm303dlhcAccelerometer:
      let force = LSM303DLHCRange.least(for: specificForceMetresPerSecondSquared)
      return SensorFullScale(
        metresPerSecondSquared: Self.bits12 * force.metresPerSecondSquaredPerCount)
    default: return SensorFullScale()
    }
  }
}

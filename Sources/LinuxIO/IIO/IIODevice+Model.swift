import Chips

extension IIODevice {
  /// The model by the driver's name of the chip; nil if unknown to Lodestar.
  ///
  /// The name comes from the overlay or `new_device`. Some drivers check the chip's identity, others only
  /// log a mismatch.
  public var model: ChipModel? { Self.models[name] }

  /// The kernel drivers' names of the chips.
  /// - Source: the names of the drivers' `i2c_device_id` tables in Linux 6.12, drivers/iio:
  ///   magnetometer/hmc5843_i2c.c, st_magn.h, ak8975.c; accel/st_accel.h;
  ///   imu/st_lsm6dsx/st_lsm6dsx.h, inv_mpu6050/inv_mpu_i2c.c; pressure/bmp280-i2c.c, st_pressure.h,
  ///   ms5611_i2c.c. The LSM9DS1's halves were `lsm9ds1_imu` in 5.x at first.
  static let models: [String: ChipModel] = [
    // The HMC5883 has other gains and the HMC5983 one more rate; the driver handles both.
    "hmc5883": .hmc5883l, "hmc5883l": .hmc5883l, "hmc5983": .hmc5883l,
    "lis3mdl": .lis3mdl,
    "lsm303dlhc_magn": .lsm303dlhcMagnetometer,
    "lsm303dlhc_accel": .lsm303dlhcAccelerometer,
    "lsm9ds1_magn": .lsm9ds1Magnetometer,
    "lsm9ds1-imu_accel": .lsm9ds1Inertial, "lsm9ds1-imu_gyro": .lsm9ds1Inertial,
    "lsm9ds1_imu_accel": .lsm9ds1Inertial, "lsm9ds1_imu_gyro": .lsm9ds1Inertial,
    "mpu6050": .mpu6050, "mpu6500": .mpu6500, "mpu9250": .mpu9250, "mpu9255": .mpu9250,
    "ak8963": .ak8963,
    "bmp280": .bmp280, "bme280": .bme280,
    "lps25h": .lps25hb,
    "ms5611": .ms5611,
  ]

  /// The chips readable through this device: an MPU-9250's driver also reads the AK8963 inside, which is
  /// then not accessible on the bus.
  public var models: [ChipModel] {
    guard let model else { return [] }
    return model == .mpu9250 && node(with: "in_magn_x_raw") != nil ? [model, .ak8963] : [model]
  }

  /// The driver that reads a chip through this device; nothing is read or written before its `start`.
  /// - Parameters:
  ///   - model: The chip, one of `models`.
  ///   - settings: The requested settings. Data-ready lines are ignored: the kernel handles them.
  /// - Returns: nil if the device is not that chip.
  public func driver(for model: ChipModel, settings: ChipSettings) -> (any SensorChip)? {
    guard models.contains(model) else { return nil }
    return switch model.quantity {
    case .field: IIOMagnetometer(device: self, model: model, settings: settings)
    case .inertia: IIOInertialUnit(device: self, model: model, settings: settings)
    case .pressure: IIOBarometer(device: self, model: model, settings: settings)
    }
  }
}

/// Differences between kernel drivers and the chips' data sheets.
extension ChipModel {
  /// Counts at and beyond which a sample is saturated; nil for the limits of the type.
  ///
  /// - Source: Honeywell HMC5883L data sheet 900405: 12 bits, and -4096 after an overflow, which
  ///   hmc5843_core.c passes on as it is; Linux ak8975.c cuts off at ±8190 (`def->range`), which is
  ///   where the AK8963's 14 bits end. An MPU-9250's driver has its AK8963 measure with 16 bits, ±32,760.
  func kernelRails(in name: String) -> ClosedRange<Int64>? {
    switch self {
    case .hmc5883l, .lsm303dlhcMagnetometer: -2049...2048
    case .ak8963: name == "ak8963" ? -8190...8190 : -32_760...32_760
    default: nil
    }
  }

  /// The correction factor of the kernel's scale.
  ///
  /// hmc5843_core.c (6.12 and before) states a hundredth of the gauss that the ABI asks for: 0.000009174
  /// for the HMC5883L's 1090 counts a gauss. No range of these chips has less than 0.0007 gauss a count,
  /// so a corrected driver is recognised by its scale.
  func scaleCorrection(_ scale: Double) -> Double {
    self == .hmc5883l && scale < 1e-4 ? 100 : 1
  }

  /// The signs that bring the kernel's axes, which are the registers', to those of Lodestar's driver:
  /// the LSM9DS1's drawn left-handed set turned round (see `LSM9DS1Inertial`).
  var kernelAxisSigns: SIMD3<Double> {
    self == .lsm9ds1Inertial ? SIMD3(-1, 1, 1) : SIMD3(1, 1, 1)
  }
}

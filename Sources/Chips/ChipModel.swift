/// The supported chips, by their names in board files.
public enum ChipModel: String, CaseIterable, Sendable {
  case hmc5883l = "HMC5883L"
  case qmc5883l = "QMC5883L"
  case lis3mdl = "LIS3MDL"
  case lsm303dlhcMagnetometer = "LSM303DLHC-M"
  case lsm303dlhcAccelerometer = "LSM303DLHC-A"
  case lsm9ds1Magnetometer = "LSM9DS1-M"
  case lsm9ds1Inertial = "LSM9DS1-AG"
  case mpu6050 = "MPU-6050"
  case mpu6500 = "MPU-6500"
  case mpu9250 = "MPU-9250"
  case ak8963 = "AK8963"
  case bmp280 = "BMP280"
  case bme280 = "BME280"
  case lps25hb = "LPS25HB"
  case ms5611 = "MS5611"

  /// The quantity that a chip measures.
  public enum Quantity: String, Sendable {
    /// Magnetic flux density.
    case field
    /// Angular rate, specific force or both.
    case inertia
    /// Static pressure.
    case pressure
  }

  /// The measured quantity.
  public var quantity: Quantity {
    switch self {
    case .hmc5883l, .qmc5883l, .lis3mdl, .lsm303dlhcMagnetometer, .lsm9ds1Magnetometer, .ak8963:
      .field
    case .lsm303dlhcAccelerometer, .lsm9ds1Inertial, .mpu6050, .mpu6500, .mpu9250: .inertia
    case .bmp280, .bme280, .lps25hb, .ms5611: .pressure
    }
  }

  /// The addresses that the chip can have, 7 bits, the usual one first.
  public var addresses: [UInt8] {
    switch self {
    case .hmc5883l, .lsm303dlhcMagnetometer: [0x1E]
    case .qmc5883l: [0x0D]
    case .lis3mdl, .lsm9ds1Magnetometer: [0x1C, 0x1E]
    case .lsm303dlhcAccelerometer: [0x19]
    case .lsm9ds1Inertial: [0x6A, 0x6B]
    case .mpu6050, .mpu6500, .mpu9250: [0x68, 0x69]
    case .ak8963: [0x0C]
    case .bmp280, .bme280: [0x76, 0x77]
    case .lps25hb: [0x5C, 0x5D]
    case .ms5611: [0x77, 0x76]
    }
  }
}

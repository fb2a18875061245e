#if !hasFeature(Embedded)

  /// The drivers' table, one line a chip.
  struct ChipCatalog<B: RegisterBus> {
    typealias Make = (B, UInt8, ChipSettings) -> any SensorChip

    /// In the order in which a scan compares their identities.
    static var drivers: [(model: ChipModel, make: Make)] {
      [
        // Before the chips that are known by the register that holds its x axis.
        (.qmc5883l, { QMC5883L(bus: $0, address: $1, settings: $2) }),
        (.qmc5883p, { QMC5883P(bus: $0, address: $1, settings: $2) }),
        (.qmc6310, { QMC5883P(bus: $0, address: $1, settings: $2, variant: .qmc6310) }),
        (.qmc6309, { QMC5883P(bus: $0, address: $1, settings: $2, variant: .qmc6309) }),
        (.lis3mdl, { LIS3MDL(bus: $0, address: $1, settings: $2) }),
        (.lis2mdl, { LIS2MDL(bus: $0, address: $1, settings: $2) }),
        (.mag3110, { MAG3110(bus: $0, address: $1, settings: $2) }),
        (.mlx90393, { MLX90393(bus: $0, address: $1, settings: $2) }),
        (.ist8310, { IST8310(bus: $0, address: $1, settings: $2) }),
        (.ak09916, { AK09916(bus: $0, address: $1, settings: $2) }),
        (.mmc5603, { SetResetMagnetometer(bus: $0, address: $1, settings: $2, part: .mmc5603) }),
        (
          .mmc5983ma, { SetResetMagnetometer(bus: $0, address: $1, settings: $2, part: .mmc5983ma) }
        ),
        (.bmm150, { BMM150(bus: $0, address: $1, settings: $2) }),
        (.rm3100, { RM3100(bus: $0, address: $1, settings: $2) }),
        (.bmm350, { BMM350(bus: $0, address: $1, settings: $2) }),
        (.hmc5883l, { HMC5883L(bus: $0, address: $1, settings: $2) }),
        (.lsm303dlhcMagnetometer, { LSM303DLHCMagnetometer(bus: $0, address: $1, settings: $2) }),
        (
          .lsm9ds1Magnetometer,
          { LIS3MDL(bus: $0, address: $1, settings: $2, model: .lsm9ds1Magnetometer) }
        ),
        (.ak8963, { AK8963(bus: $0, address: $1, settings: $2) }),
        (.bmp180, { BMP180(bus: $0, address: $1, settings: $2) }),
        (.bmp280, { BMP280(bus: $0, address: $1, variant: .bmp280, settings: $2) }),
        (.bme280, { BMP280(bus: $0, address: $1, variant: .bme280, settings: $2) }),
        (.bmp388, { BMP388(bus: $0, address: $1, model: .bmp388, settings: $2) }),
        (.bmp390, { BMP388(bus: $0, address: $1, model: .bmp390, settings: $2) }),
        (.bmp581, { BMP581(bus: $0, address: $1, model: .bmp581, settings: $2) }),
        (.bmp585, { BMP581(bus: $0, address: $1, model: .bmp585, settings: $2) }),
        (.lps25hb, { LPSFamily(bus: $0, address: $1, settings: $2, variant: .lps25hb) }),
        (.lps22hb, { LPSFamily(bus: $0, address: $1, settings: $2, variant: .lps22hb) }),
        (.lps22hh, { LPSFamily(bus: $0, address: $1, settings: $2, variant: .lps22hh) }),
        (.lps22df, { LPSFamily(bus: $0, address: $1, settings: $2, variant: .lps22df) }),
        (.dps310, { DPS310(bus: $0, address: $1, settings: $2) }),
        (.spl07, { DPS310(bus: $0, address: $1, variant: .spl07, settings: $2) }),
        (.spl06, { DPS310(bus: $0, address: $1, variant: .spl06, settings: $2) }),
        (.qmp6988, { QMP6988(bus: $0, address: $1, settings: $2) }),
        (.smpb02b, { QMP6988(bus: $0, address: $1, model: .smpb02b, settings: $2) }),
        (.mpl3115a2, { MPL3115A2(bus: $0, address: $1, settings: $2) }),
        (.bme680, { BME680(bus: $0, address: $1, settings: $2) }),
        (.icp10125, { ICP10125(bus: $0, address: $1, settings: $2) }),
        // One that recognises a short PROM comes after those with a long one, whose check it may
        // fit by chance.
        (.ms5611, { MS5611(bus: $0, address: $1, settings: $2) }),
        (.ms5607, { MS5611(bus: $0, address: $1, variant: .ms5607, settings: $2) }),
        (.ms5637, { MS5611(bus: $0, address: $1, variant: .ms5637, settings: $2) }),
        (
          .ms5837With30Bar,
          { MS5611(bus: $0, address: $1, variant: .ms5837With30Bar, settings: $2) }
        ),
        (.ms5837With2Bar, { MS5611(bus: $0, address: $1, variant: .ms5837With2Bar, settings: $2) }),
        (.mpu6050, { MPU6050Family(bus: $0, address: $1, settings: $2, variant: .mpu6050) }),
        (.mpu6500, { MPU6050Family(bus: $0, address: $1, settings: $2, variant: .mpu6500) }),
        (.mpu9250, { MPU6050Family(bus: $0, address: $1, settings: $2, variant: .mpu9250) }),
        (.mpu6886, { MPU6050Family(bus: $0, address: $1, settings: $2, variant: .mpu6886) }),
        (.icm20689, { MPU6050Family(bus: $0, address: $1, settings: $2, variant: .icm20689) }),
        (.icm20602, { MPU6050Family(bus: $0, address: $1, settings: $2, variant: .icm20602) }),
        (.icm20608, { MPU6050Family(bus: $0, address: $1, settings: $2, variant: .icm20608) }),
        (.lsm9ds1Inertial, { LSM9DS1Inertial(bus: $0, address: $1, settings: $2) }),
        (.lsm6ds3, { LSM6DSFamily(bus: $0, address: $1, settings: $2, variant: .lsm6ds3) }),
        (.lsm6ds3trc, { LSM6DSFamily(bus: $0, address: $1, settings: $2, variant: .lsm6ds3trc) }),
        (.lsm6dso, { LSM6DSFamily(bus: $0, address: $1, settings: $2, variant: .lsm6dso) }),
        (.lsm6dso32, { LSM6DSFamily(bus: $0, address: $1, settings: $2, variant: .lsm6dso32) }),
        (.lsm6dsv, { LSM6DSFamily(bus: $0, address: $1, settings: $2, variant: .lsm6dsv) }),
        (.lsm6dsv32x, { LSM6DSFamily(bus: $0, address: $1, settings: $2, variant: .lsm6dsv32x) }),
        (.ism330dhcx, { LSM6DSFamily(bus: $0, address: $1, settings: $2, variant: .ism330dhcx) }),
        (.l3g4200d, { L3GD20(bus: $0, address: $1, settings: $2, model: .l3g4200d) }),
        (.l3gd20, { L3GD20(bus: $0, address: $1, settings: $2, model: .l3gd20) }),
        (.l3gd20h, { L3GD20(bus: $0, address: $1, settings: $2, model: .l3gd20h) }),
        (.adxl345, { ADXL345(bus: $0, address: $1, settings: $2) }),
        // Behind ST's, whose register 0x00 is not its identity.
        (.qmi8658, { QMI8658(bus: $0, address: $1, settings: $2) }),
        (.icm20948, { ICM20948(bus: $0, address: $1, settings: $2) }),
        // Before those that are known by the register that holds its x axis, and behind one whose
        // FIFO a read of its identity empties.
        (.icm45686, { ICM45686(bus: $0, address: $1, settings: $2) }),
        (.bmi160, { BMI160(bus: $0, address: $1, settings: $2) }),
        (.bno055, { BNO055(bus: $0, address: $1, settings: $2) }),
        (.bno085, { BNO08x(bus: $0, address: $1, settings: $2) }),
        (.bmi270, { BMI270(bus: $0, address: $1, settings: $2) }),
        (.icm42688p, { ICM42688P(bus: $0, address: $1, settings: $2) }),
        (.icm42670p, { ICM42670P(bus: $0, address: $1, settings: $2) }),
        // Last of those at 0x68: its identity is in a register that others measure with.
        (.itg3205, { ITG3205(bus: $0, address: $1, settings: $2) }),
        (
          .bmx055Accelerometer,
          { BMX055(bus: $0, address: $1, settings: $2, half: .accelerometer) }
        ),
        (.bmx055Gyroscope, { BMX055(bus: $0, address: $1, settings: $2, half: .gyroscope) }),
        (.fxos8700, { FXOS8700(bus: $0, address: $1, settings: $2) }),
        (.fxas21002, { FXAS21002(bus: $0, address: $1, settings: $2) }),
        (.lsm303d, { LSM303D(bus: $0, address: $1, settings: $2) }),
        (.lsm9ds0, { LSM303D(bus: $0, address: $1, settings: $2, model: .lsm9ds0) }),
        (.icm42605, { ICM42688P(bus: $0, address: $1, settings: $2, variant: .icm42605) }),
        (.iim42652, { ICM42688P(bus: $0, address: $1, settings: $2, variant: .iim42652) }),
        // Behind those with an identity in another register at their addresses.
        (.bmi088Gyroscope, { BMI088Gyroscope(bus: $0, address: $1, settings: $2) }),
        (.bmi088Accelerometer, { BMI088Accelerometer(bus: $0, address: $1, settings: $2) }),
        (.lsm303dlhcAccelerometer, { LSM303DLHCAccelerometer(bus: $0, address: $1, settings: $2) }),
        (
          .lsm303agrAccelerometer,
          {
            LSM303DLHCAccelerometer(
              bus: $0, address: $1, settings: $2, model: .lsm303agrAccelerometer)
          }
        ),
      ]
    }
  }

  /// The drivers' table of modules on a serial port, one line a module.
  struct SerialCatalog<P: TimedSerialPort> {
    typealias Make = (P, ChipSettings) -> any SensorChip

    static var drivers: [(model: ChipModel, make: Make)] {
      [
        (.bno055, { BNO055(bus: BNO055SerialBus($0), address: 0, settings: $1) }),
        (.bno085, { BNO08x(bus: SHTPSerialBus($0), address: 0, settings: $1) }),
        (.wt901, { WT901(port: $0, settings: $1) }),
      ]
    }
  }

  extension ChipModel: CaseIterable, RawRepresentable {
    /// All chips with a driver.
    public static let allCases = ChipCatalog<NoBus>.drivers.map(\.model) + [.wt901]

    /// The chip of a name; nil for an unknown one.
    public init?(rawValue: String) {
      guard let model = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = model
    }

    /// The driver for the chip at an address; nothing is transferred before its `start`.
    public func driver<B: RegisterBus>(
      bus: B, address: UInt8, settings: ChipSettings
    ) -> any SensorChip {
      for (model, make) in ChipCatalog<B>.drivers where model == self {
        return make(bus, address, settings)
      }
      preconditionFailure("\(rawValue) is not in the catalogue")
    }

    /// The driver for the module on a serial port; nil for a chip without a serial interface.
    /// Nothing is transferred before its `start`.
    public func driver<P: TimedSerialPort>(port: P, settings: ChipSettings) -> (any SensorChip)? {
      SerialCatalog<P>.drivers.first { $0.model == self }?.make(port, settings)
    }
  }

#endif

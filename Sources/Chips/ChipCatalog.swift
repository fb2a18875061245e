#if !hasFeature(Embedded)

  extension ChipModel {
    /// The driver for the chip at an address; nothing is transferred before its `start`.
    public func driver<B: RegisterBus>(
      bus: B, address: UInt8, settings: ChipSettings
    ) -> any SensorChip {
      switch self {
      case .lis3mdl: LIS3MDL(bus: bus, address: address, settings: settings)
      case .hmc5883l: HMC5883L(bus: bus, address: address, settings: settings)
      case .qmc5883l: QMC5883L(bus: bus, address: address, settings: settings)
      case .lsm303dlhcMagnetometer:
        LSM303DLHCMagnetometer(bus: bus, address: address, settings: settings)
      case .lsm9ds1Magnetometer:
        LSM9DS1Magnetometer(bus: bus, address: address, settings: settings)
      case .ak8963: AK8963(bus: bus, address: address, settings: settings)
      case .bmp280: BMP280(bus: bus, address: address, variant: .bmp280, settings: settings)
      case .bme280: BMP280(bus: bus, address: address, variant: .bme280, settings: settings)
      case .lps25hb: LPS25HB(bus: bus, address: address, settings: settings)
      case .ms5611: MS5611(bus: bus, address: address, settings: settings)
      case .mpu6050:
        MPU6050Family(bus: bus, address: address, settings: settings, variant: .mpu6050)
      case .mpu6500:
        MPU6050Family(bus: bus, address: address, settings: settings, variant: .mpu6500)
      case .mpu9250:
        MPU6050Family(bus: bus, address: address, settings: settings, variant: .mpu9250)
      case .lsm9ds1Inertial: LSM9DS1Inertial(bus: bus, address: address, settings: settings)
      case .lsm303dlhcAccelerometer:
        LSM303DLHCAccelerometer(bus: bus, address: address, settings: settings)
      }
    }
  }
#endif

#if !hasFeature(Embedded)
  import Bus

  extension ChipModel {
    /// The driver for the chip at an address; nothing is transferred before its `start`.
    public func driver<B: RegisterBus>(
      bus: B, address: UInt8, settings: ChipSettings
    ) -> any SensorChip {
      switch self {
      case .lis3mdl: LIS3MDL(bus: bus, address: address, settings: settings)
      case .mpu6050:
        MPU6050Family(bus: bus, address: address, settings: settings, variant: .mpu6050)
      case .mpu6500:
        MPU6050Family(bus: bus, address: address, settings: settings, variant: .mpu6500)
      case .mpu9250:
        MPU6050Family(bus: bus, address: address, settings: settings, variant: .mpu9250)
      case .lsm9ds1Inertial: LSM9DS1Inertial(bus: bus, address: address, settings: settings)
      case .lsm303dlhcAccelerometer:
        LSM303DLHCAccelerometer(bus: bus, address: address, settings: settings)
      default: LIS3MDL(bus: bus, address: address, settings: settings)
      }
    }
  }
#endif

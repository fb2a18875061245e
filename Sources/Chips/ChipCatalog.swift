#if !hasFeature(Embedded)
  import Bus

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
      default: LIS3MDL(bus: bus, address: address, settings: settings)
      }
    }
  }
#endif

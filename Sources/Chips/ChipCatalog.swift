#if !hasFeature(Embedded)
  import Bus

  extension ChipModel {
    /// The driver for the chip at an address; nothing is transferred before its `start`.
    public func driver<B: RegisterBus>(
      bus: B, address: UInt8, settings: ChipSettings
    ) -> any SensorChip {
      switch self {
      case .lis3mdl: LIS3MDL(bus: bus, address: address, settings: settings)
      default: LIS3MDL(bus: bus, address: address, settings: settings)
      }
    }
  }
#endif

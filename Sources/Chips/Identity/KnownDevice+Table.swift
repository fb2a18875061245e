extension KnownDevice {
  /// The chips with a driver, and the others. In Embedded Swift, which has no catalogue, the others only.
  static let all: [KnownDevice] = driven + magnetometers + inertialUnits + barometers

  private static var driven: [KnownDevice] {
    #if hasFeature(Embedded)
      []
    #else
      ChipModel.allCases.flatMap(\.knownDevices)
    #endif
  }

  // Parts without a driver. Source: each part's data sheet, register map, identity register.

  private static let st: UInt8 = 0x0F
  private static let invenSense: UInt8 = 0x75
  private static let bosch: UInt8 = 0x00

  private static let magnetometers = [
    KnownDevice("LSM303D", [0x1D, 0x1E], st, 0x49),
    KnownDevice("LSM303C magnetometer", [0x1E], st, 0x3D),
  ]

  private static let inertialUnits = [
    KnownDevice("MPU-6515", [0x68, 0x69], invenSense, 0x74),
    KnownDevice("MPU-6880", [0x68, 0x69], invenSense, 0x78),
    KnownDevice("MPU-6886", [0x68, 0x69], invenSense, 0x19),
    KnownDevice("ICM-20602", [0x68, 0x69], invenSense, 0x12),
    KnownDevice("ICM-20608", [0x68, 0x69], invenSense, 0xAF),
    KnownDevice("ICM-20689", [0x68, 0x69], invenSense, 0x98),
    KnownDevice("ICM-42605", [0x68, 0x69], invenSense, 0x42),
    KnownDevice("LSM6DS33 or LSM6DSL", [0x6A, 0x6B], st, 0x6A),
    KnownDevice("L3G4200D", [0x68, 0x69], st, 0xD3),
    KnownDevice("L3GD20", [0x6A, 0x6B], st, 0xD4),
    KnownDevice("L3GD20H", [0x6A, 0x6B], st, 0xD7),
    KnownDevice("LIS3DH", [0x18], st, 0x33),
    KnownDevice("LIS331DLH or the accelerometer of LSM303DLH or DLM", [0x18, 0x19], st, 0x32),
    KnownDevice("LIS2DW12", [0x18, 0x19], st, 0x44),
    KnownDevice("ADXL345", [0x1D, 0x53], 0x00, 0xE5),
  ]

  private static let barometers = [
    KnownDevice("LPS331AP", [0x5C, 0x5D], st, 0xBB),
    KnownDevice("HTS221", [0x5F], st, 0xBC),
  ]
}

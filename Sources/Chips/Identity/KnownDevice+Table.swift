extension KnownDevice {
  /// The chips with a driver, and the others. In Embedded Swift, which has no catalogue, the others
  /// only.
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
    KnownDevice("LSM303C magnetometer", [0x1E], st, 0x3D)
  ]

  private static let inertialUnits = [
    // Accepted by the drivers of the MPU-6050 and MPU-6500, where the board file names one of them.
    KnownDevice(
      "clone without a name that is sold as MPU-6050", [0x68, 0x69], invenSense, 0x72),
    KnownDevice("MPU-6515 (also sold as MPU-6050 or MPU-6500)", [0x68, 0x69], invenSense, 0x74),
    KnownDevice(
      "clone without a name that is sold as MPU-6500 or MPU-9250", [0x68, 0x69], invenSense, 0x75),
    KnownDevice("MPU-6880 (also sold as MPU-6050 or MPU-9250)", [0x68, 0x69], invenSense, 0x78),
    // Source: Linux inv_icm45600.h, Zephyr icm45686_reg.h.
    KnownDevice("ICM-45605", [0x68, 0x69], 0x72, 0xE5),
    KnownDevice("ICM-45688-P", [0x68, 0x69], 0x72, 0xE7),
    KnownDevice("LIS3DH", [0x18], st, 0x33),
    KnownDevice("LIS331DLH or the accelerometer of LSM303DLH or DLM", [0x18, 0x19], st, 0x32),
    KnownDevice("LIS2DW12", [0x18, 0x19], st, 0x44),
  ]

  private static let barometers = [
    KnownDevice("LPS331AP", [0x5C, 0x5D], st, 0xBB),
    KnownDevice("HTS221", [0x5F], st, 0xBC),
  ]
}

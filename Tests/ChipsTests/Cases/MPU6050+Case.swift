import Chips
import Simulation

extension ChipCase {
  static let mpu6050 = mpu(
    .mpu6050, .mpu6050,
    others: [
      (0x71, "MPU-9250"), (0x73, "MPU-9255"), (0x12, "ICM-20602"), (0x19, "MPU-6886"), (0x3B, nil),
    ])
  static let mpu6500 = mpu(
    .mpu6500, .mpu6500, others: [(0x68, "MPU-6050"), (0x71, "MPU-9250"), (0x98, "ICM-20689")])
  static let mpu9250 = mpu(
    .mpu9250, .mpu9250,
    others: [
      (0x70, "MPU-6500 (often sold as MPU-6050)"), (0x68, "MPU-6050"), (0x74, "MPU-6515"),
      (0x75, "clone"), (0x78, "MPU-6880"),
      (0x00, nil),
    ])
  static let mpu9255 = mpu(.mpu9250, .mpu9255, others: [(0x70, "MPU-6500")])

  static let mpu6886 = mpu(
    .mpu6886, .mpu6886, others: [(0x12, "ICM-20602"), (0x68, "MPU-6050"), (0x98, "ICM-20689")])
  static let icm20689 = mpu(
    .icm20689, .icm20689, others: [(0x68, "MPU-6050"), (0xAF, "ICM-20608"), (0x70, "MPU-6500")])
  static let icm20602 = mpu(
    .icm20602, .icm20602, others: [(0x19, "MPU-6886"), (0x68, "MPU-6050"), (0x98, "ICM-20689")])
  static let icm20608 = mpu(
    .icm20608, .icm20608, others: [(0x98, "ICM-20689"), (0x68, "MPU-6050"), (0x12, "ICM-20602")])

  private static func mpu(
    _ variant: MPUVariant, _ part: EmulatedMPU6050Family.Part,
    others: [(value: UInt8, name: String?)]
  ) -> ChipCase {
    ChipCase(
      model: variant.model, address: 0x68,
      emulated: { EmulatedMPU6050Family(part, surroundings: $0) },
      driver: { MPU6050Family(bus: $0, address: 0x68, settings: $1, variant: variant) },
      identity: (0x75, others), ranges: gyroscope + accelerometer, configurationRegister: 0x1B,
      fifoRegisters: [0x74])
  }

  // Steps: Linux inv_mpu_core.c, gyro_scale_6050 (nanoradians per second) and accel_scale (µm/s²).
  private static let gyroscope: [ChipRange] = [
    (250.0, 133_090.0), (500, 266_181), (1000, 532_362), (2000, 1_064_724),
  ].map { .angularRate(degrees: $0.0, step: $0.1 * 1e-9) }
  private static let accelerometer: [ChipRange] = [
    (2.0, 598.0), (4, 1196), (8, 2392), (16, 4785),
  ].map { .specificForce(g: $0.0, step: $0.1 * 1e-6) }
}

extension ChipRange {
  /// The ranges by counts a degree and a g, as the tables 1 and 2 of DS-000189 and DS-000347 have
  /// them.
  static var ofInvenSense: [ChipRange] {
    let degrees = [(250.0, 131.0), (500, 65.5), (1000, 32.8), (2000, 16.4)]
    let g = [(2.0, 16_384.0), (4, 8192), (8, 4096), (16, 2048)]
    var ranges: [ChipRange] = []
    for (range, counts) in degrees {
      ranges.append(.angularRate(degrees: range, step: .pi / 180 / counts))
    }
    for (range, counts) in g { ranges.append(.specificForce(g: range, step: 9.806_65 / counts)) }
    return ranges
  }

  /// A gyroscope's range; `rail` is where its counts end, both in degrees per second.
  static func angularRate(degrees: Double, rail: Double? = nil, step: Double) -> ChipRange {
    let full = degrees * .pi / 180
    return ChipRange(
      quantity: .angularRate, settings: ChipSettings(angularRateRadiansPerSecond: full),
      inside: -full * 0.99...full * 0.99, beyond: (rail ?? degrees) * .pi / 180 * 1.02,
      step: SIMD3(repeating: step))
  }

  /// An accelerometer's range; `rail` is where its counts end, both in g.
  static func specificForce(g: Double, rail: Double? = nil, step: Double) -> ChipRange {
    let full = g * 9.806_65
    return ChipRange(
      quantity: .specificForce, settings: ChipSettings(specificForceMetresPerSecondSquared: full),
      inside: -full * 0.99...full * 0.99, beyond: (rail ?? g) * 9.806_65 * 1.02,
      step: SIMD3(repeating: step))
  }
}

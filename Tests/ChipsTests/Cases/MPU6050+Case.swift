import Chips
import Simulation

extension ChipCase {
  static let mpu6050 = mpu(
    .mpu6050, identity: 0x68, fifoBytes: 1024, power: 0x40, accelerometerFilter: false,
    others: [(0x70, "MPU-6500"), (0x71, "MPU-9250"), (0x12, "ICM-20602"), (0x05, nil)])
  static let mpu6500 = mpu(
    .mpu6500, identity: 0x70, fifoBytes: 512, power: 0x40, accelerometerFilter: true,
    others: [(0x68, "MPU-6050"), (0x98, "ICM-20689")])
  static let mpu9250 = mpu(
    .mpu9250, identity: 0x71, fifoBytes: 512, power: 0x01, accelerometerFilter: true,
    others: [(0x70, "MPU-6500"), (0x05, nil)])

  private static func mpu(
    _ model: ChipModel, identity: UInt8, fifoBytes: Int, power: UInt8, accelerometerFilter: Bool,
    others: [(value: UInt8, name: String?)]
  ) -> ChipCase {
    let g = 9.806_65
    // Steps: gyroscope by the data sheet, 131 to 16.4 counts a degree a second; accelerometer by Linux
    // inv_mpu_core.c, 6.12: 598, 1196, 2392, 4785 micro m/s².
    let rates = [(250.0, 131.0), (500, 65.5), (1000, 32.8), (2000, 16.4)].map {
      ($0.0, .pi / 180 / $0.1)
    }
    let forces: [(Double, Double)] = [
      (2, 598e-6), (4, 1196e-6), (8, 2392e-6), (16, 4785e-6),
    ]
    return ChipCase(
      model: model, address: 0x68,
      emulated: {
        EmulatedMPU6050(surroundings: $0, identity: identity, fifoBytes: fifoBytes, power: power)
      },
      driver: { model.driver(bus: $0, address: 0x68, settings: $1) },
      identity: (0x75, others),
      ranges: rates.map {
        let end = $0.0 * .pi / 180
        return ChipRange(
          quantity: .angularRate, settings: ChipSettings(angularRateRadiansPerSecond: end),
          inside: -end * 0.99...end * 0.99, beyond: end * 1.02, step: SIMD3(repeating: $0.1))
      }
        + forces.map {
          ChipRange(
            quantity: .specificForce,
            settings: ChipSettings(specificForceMetresPerSecondSquared: $0.0 * g),
            inside: -$0.0 * g * 0.99...$0.0 * g * 0.99, beyond: $0.0 * g * 1.02,
            step: SIMD3(repeating: $0.1))
        },
      configurationRegister: 0x1A)
  }
}

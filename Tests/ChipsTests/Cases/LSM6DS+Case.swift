import Chips
import Simulation

extension ChipCase {
  static let lsm6ds3 = lsm6ds(
    .lsm6ds3, .lsm6ds3, samples: 682,
    others: [(0x6A, "LSM6DS3TR-C"), (0x6C, "LSM6DSO"), (0x68, "LSM9DS1"), (0x00, nil)])
  static let lsm6ds3trc = lsm6ds(
    .lsm6ds3trc, .lsm6ds3trc, samples: 341, others: [(0x69, "LSM6DS3"), (0x6C, "LSM6DSO")])
  static let lsm6dso = lsm6ds(
    .lsm6dso, .lsm6dso, samples: 256,
    others: [(0x69, "LSM6DS3"), (0x6B, "ISM330DHCX"), (0x70, "LSM6DSV"), (0x3D, nil)])
  static let lsm6dsv = lsm6ds(
    .lsm6dsv, .lsm6dsv, samples: 128, others: [(0x6C, "LSM6DSO or LSM6DSOX"), (0x71, nil)])
  static let lsm6dso32 = lsm6ds(
    .lsm6dso32, .lsm6dso32, samples: 256, isWide: true,
    others: [(0x69, "LSM6DS3"), (0x70, "LSM6DSV")])
  static let lsm6dsv32x = lsm6ds(
    .lsm6dsv32x, .lsm6dsv32x, samples: 128, isWide: true, others: [(0x6C, "LSM6DSO or LSM6DSOX")])
  static let ism330dhcx = lsm6ds(
    .ism330dhcx, .ism330dhcx, samples: 256, others: [(0x6C, "LSM6DSO"), (0xD4, "L3GD20")])

  private static func lsm6ds(
    _ variant: LSM6DSVariant, _ part: EmulatedLSM6DSFamily.Part, samples: Int,
    isWide: Bool = false, others: [(value: UInt8, name: String?)]
  ) -> ChipCase {
    ChipCase(
      model: variant.model, address: 0x6A,
      emulated: { EmulatedLSM6DSFamily(part, surroundings: $0) },
      driver: { LSM6DSFamily(bus: $0, address: 0x6A, settings: $1, variant: variant) },
      identity: (0x0F, others), ranges: gyroscope + (isWide ? wide : usual),
      configurationRegister: 0x11,
      fifoRegisters: [0x78, 0x3E], fifoSamples: samples)
  }

  // Steps: Linux st_lsm6dsx_core.c, micro-degrees per second and micro-g. The counts end at 32,768
  // of them.
  private static let gyroscope: [ChipRange] =
    [(250.0, 8750.0), (500, 17_500), (1000, 35_000), (2000, 70_000)].map {
      .angularRate(degrees: $0.0, rail: $0.1 * 32_768e-6, step: $0.1 * 1e-6 * .pi / 180)
    }
  private static let usual = force([(2.0, 61.0), (4, 122), (8, 244), (16, 488)])
  // ST's lsm6dso32_reg.c and lsm6dsv32x_reg.c.
  private static let wide = force([(4.0, 122.0), (8, 244), (16, 488), (32, 976)])

  private static func force(_ steps: [(g: Double, micro: Double)]) -> [ChipRange] {
    steps.map { .specificForce(g: $0.g, step: $0.micro * 1e-6 * 9.806_65) }
  }
}

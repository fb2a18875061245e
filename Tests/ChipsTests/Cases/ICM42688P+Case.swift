import Chips
import Simulation

extension ChipCase {
  static let icm42688p = icm(.icm42688p, 0x47, others: [(0x42, "ICM-42605"), (0x6F, "IIM-42652")])
  static let icm42605 = icm(.icm42605, 0x42, others: [(0x47, "ICM-42688-P"), (0x6F, "IIM-42652")])
  static let iim42652 = icm(.iim42652, 0x6F, others: [(0x47, "ICM-42688-P"), (0x42, "ICM-42605")])

  private static func icm(
    _ variant: ICM42688PVariant, _ identity: UInt8, others: [(value: UInt8, name: String?)]
  ) -> ChipCase {
    ChipCase(
      model: variant.model, address: 0x68,
      emulated: { EmulatedICM42688P(surroundings: $0, whoAmI: identity) },
      driver: { ICM42688P(bus: $0, address: 0x68, settings: $1, variant: variant) },
      identity: (
        0x75, others + [(0x68, "MPU-6050"), (0x71, "MPU-9250"), (0x44, nil), (0x00, nil)]
      ),
      // Steps: DS-000347 tables 1 and 2, counts a degree and a g.
      ranges: ChipRange.ofInvenSense,
      configurationRegister: 0x4F, fifoRegisters: [0x30], fifoSamples: 128)
  }
}

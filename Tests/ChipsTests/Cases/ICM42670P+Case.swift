import Chips
import Simulation

extension ChipCase {
  static let icm42670p = ChipCase(
    model: .icm42670p, address: 0x68,
    emulated: { EmulatedICM42670P(surroundings: $0) },
    driver: { ICM42670P(bus: $0, address: 0x68, settings: $1) },
    identity: (
      0x75,
      [(0x47, "ICM-42688-P"), (0x42, "ICM-42605"), (0x68, "MPU-6050"), (0x60, nil), (0x00, nil)]
    ),
    // Steps: Zephyr icm42670.c, counts a degree and a g.
    ranges: ChipRange.ofInvenSense,
    configurationRegister: 0x20, fifoRegisters: [0x3F], fifoSamples: 144)
}

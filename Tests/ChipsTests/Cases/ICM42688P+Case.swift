import Chips
import Simulation

extension ChipCase {
  static let icm42688p = ChipCase(
    model: .icm42688p, address: 0x68,
    emulated: { EmulatedICM42688P(surroundings: $0) },
    driver: { ICM42688P(bus: $0, address: 0x68, settings: $1) },
    identity: (
      0x75, [(0x42, "ICM-42605"), (0x68, "MPU-6050"), (0x71, "MPU-9250"), (0x44, nil), (0x00, nil)]
    ),
    // Steps: DS-000347 tables 1 and 2, counts a degree and a g.
    ranges: ChipRange.ofInvenSense,
    configurationRegister: 0x4F, fifoRegisters: [0x30], fifoSamples: 128)
}

import Chips
import Simulation

extension ChipCase {
  static let icm20948 = ChipCase(
    model: .icm20948, address: 0x69,
    emulated: { EmulatedICM20948(surroundings: $0) },
    driver: { ICM20948(bus: $0, address: 0x69, settings: $1) },
    identity: (0x00, [(0xD1, "BMI160"), (0x24, "BMI270"), (0xE1, nil), (0x00, nil)]),
    // Steps: DS-000189 tables 1 and 2, counts a degree and a g.
    ranges: ChipRange.ofInvenSense,
    configurationRegister: 0x0F, fifoRegisters: [0x72], fifoSamples: 42)
}

import Chips
import Simulation

extension ChipCase {
  static let icm20948 = ChipCase(
    model: .icm20948, address: 0x69,
    emulated: { EmulatedICM20948(surroundings: $0) },
    driver: { ICM20948(bus: $0, address: 0x69, settings: $1) },
    identity: (0x00, [(0xD1, "BMI160"), (0x24, "BMI270"), (0xE1, nil), (0x00, nil)]),
    // Steps: DS-000189 tables 1 and 2, counts a degree and a g.
    ranges: [(250.0, 131.0), (500, 65.5), (1000, 32.8), (2000, 16.4)].map {
      .angularRate(degrees: $0.0, step: .pi / 180 / $0.1)
    }
      + [(2.0, 16_384.0), (4, 8192), (8, 4096), (16, 2048)].map {
        .specificForce(g: $0.0, step: 9.806_65 / $0.1)
      },
    configurationRegister: 0x0F, fifoRegisters: [0x72], fifoSamples: 42)
}

import Chips
import Simulation

extension ChipCase {
  static let bmi160 = ChipCase(
    model: .bmi160, address: 0x69,
    emulated: { EmulatedBMI160(surroundings: $0) },
    driver: { BMI160(bus: $0, address: 0x69, settings: $1) },
    identity: (0x00, [(0x24, "BMI270"), (0xEA, "ICM-20948"), (0xD8, nil), (0x00, nil)]),
    // Steps: Linux bmi160_core.c, microradians per second and µm/s².
    ranges: [(250.0, 133.0), (500, 266), (1000, 532), (2000, 1065)].map {
      .angularRate(degrees: $0.0, step: $0.1 * 1e-6)
    }
      + [(2.0, 598.0), (4, 1197), (8, 2394), (16, 4788)].map {
        .specificForce(g: $0.0, step: $0.1 * 1e-6)
      },
    configurationRegister: 0x43, fifoRegisters: [0x24])
}

import Chips
import Simulation

extension ChipCase {
  static let icm45686 = ChipCase(
    model: .icm45686, address: 0x68,
    emulated: { EmulatedICM45686(surroundings: $0) },
    driver: { ICM45686(bus: $0, address: 0x68, settings: $1) },
    identity: (0x72, [(0xE5, "ICM-45605"), (0xE7, "ICM-45688-P"), (0x47, nil), (0x00, nil)]),
    // Steps: the ranges over 2^15 counts (Linux inv_icm45600_gyro.c).
    ranges: [250.0, 500, 1000, 2000, 4000].map {
      .angularRate(degrees: $0, step: $0 * .pi / 180 / 32_768)
    }
      + [2.0, 4, 8, 16, 32].map { .specificForce(g: $0, step: $0 * 9.806_65 / 32_768) },
    configurationRegister: 0x1C, fifoRegisters: [0x14], fifoSamples: 128,
    // A first transfer that is not acknowledged is tried again.
    bootMilliseconds: 1)
}

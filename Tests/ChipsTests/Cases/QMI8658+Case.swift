import Chips
import Simulation

extension ChipCase {
  static let qmi8658 = ChipCase(
    model: .qmi8658, address: 0x6B,
    emulated: { EmulatedQMI8658(surroundings: $0) },
    driver: { QMI8658(bus: $0, address: 0x6B, settings: $1) },
    identity: (0x00, [(0x24, nil), (0xEA, nil), (0x00, nil)]),
    // Steps: the ranges over 2^15 counts (SensorLib).
    ranges: [256.0, 512, 1024, 2048].map {
      .angularRate(degrees: $0, step: $0 * .pi / 180 / 32_768)
    }
      + [2.0, 4, 8, 16].map { .specificForce(g: $0, step: $0 * 9.806_65 / 32_768) },
    configurationRegister: 0x04)
}

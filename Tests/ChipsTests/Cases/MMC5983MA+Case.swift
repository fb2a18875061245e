import Chips
import Simulation

extension ChipCase {
  static let mmc5983ma = ChipCase(
    model: .mmc5983ma, address: 0x30,
    emulated: { EmulatedMMC5983MA(surroundings: $0) },
    driver: { SetResetMagnetometer(bus: $0, address: 0x30, settings: $1, part: .mmc5983ma) },
    identity: (0x2F, [(0x00, nil), (0x06, nil)]),
    // Step: Linux mmc5983.c, 61,035 nanogauss. The bridge's offset takes a part of the 8 gauss.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 780), inside: -780...780,
        beyond: 830, step: SIMD3(repeating: 0.0125))
    ],
    configurationRegister: nil)
}

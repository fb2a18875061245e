import Chips
import Simulation

extension ChipCase {
  static let mmc5603 = ChipCase(
    model: .mmc5603, address: 0x30,
    emulated: { EmulatedMMC5603(surroundings: $0) },
    driver: { SetResetMagnetometer(bus: $0, address: 0x30, settings: $1, part: .mmc5603) },
    identity: (0x39, [(0x00, nil), (0x11, nil)]),
    // Step: Linux mmc5633.c, 62,500 nanogauss. The bridge's offset takes a part of the 32 gauss.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 3000), inside: -3100...3100,
        beyond: 3300, step: SIMD3(repeating: 0.0125))
    ],
    configurationRegister: nil)
}

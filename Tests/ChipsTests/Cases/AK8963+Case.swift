import Chips
import Simulation

extension ChipCase {
  static let ak8963 = ChipCase(
    model: .ak8963, address: 0x0C,
    emulated: { EmulatedAK8963(surroundings: $0) },
    driver: { AK8963(bus: $0, address: 0x0C, settings: $1) },
    identity: (0x00, [(0x10, "IST8310"), (0x09, nil)]),
    // Step: Linux ak8975.c, 0.6 µT with 14 bits, so 0.15 with 16; times the adjustment of the
    // emulated fuse ROM, at most 1 + 51/256.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 4900), inside: -4900...4900,
        beyond: 4920, step: SIMD3(repeating: 0.18))
    ],
    configurationRegister: 0x0A)
}

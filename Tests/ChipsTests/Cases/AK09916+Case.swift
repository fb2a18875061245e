import Chips
import Simulation

extension ChipCase {
  static let ak09916 = ChipCase(
    model: .ak09916, address: 0x0C,
    emulated: { EmulatedAK09916(surroundings: $0) },
    driver: { AK09916(bus: $0, address: 0x0C, settings: $1) },
    identity: (0x01, [(0x9A, nil), (0x05, nil)]),
    // Step: 4912 µT at 32,752 counts, AK09918's table 11.3.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 4900), inside: -4900...4900,
        beyond: 4920, step: SIMD3(repeating: 0.15))
    ],
    configurationRegister: 0x31)
}

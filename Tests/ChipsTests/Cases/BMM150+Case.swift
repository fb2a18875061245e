import Chips
import Simulation

extension ChipCase {
  static let bmm150 = ChipCase(
    model: .bmm150, address: 0x10,
    emulated: { EmulatedBMM150(surroundings: $0) },
    driver: { BMM150(bus: $0, address: 0x10, settings: $1) },
    identity: (0x40, [(0x33, nil), (0x31, nil)]),
    // Step: Bosch's data sheet, 0.3 µT typical; the emulated trim's is 0.37. Beyond 13 bits.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 1300), inside: -1300...1300,
        beyond: 1600, step: SIMD3(repeating: 0.37))
    ],
    configurationRegister: 0x51)
}

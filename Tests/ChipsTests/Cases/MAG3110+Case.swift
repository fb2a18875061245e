import Chips
import Simulation

extension ChipCase {
  static let mag3110 = ChipCase(
    model: .mag3110, address: 0x0E,
    emulated: { EmulatedMAG3110(surroundings: $0) },
    driver: { MAG3110(bus: $0, address: 0x0E, settings: $1) },
    identity: (0x07, [(0x00, nil), (0xC5, nil)]),
    // Step: Linux mag3110.c, a milligauss.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 1000), inside: -990...990,
        beyond: 1020, step: SIMD3(repeating: 0.1))
    ],
    configurationRegister: 0x10)
}

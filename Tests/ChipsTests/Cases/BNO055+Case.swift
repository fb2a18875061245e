import Chips
import Simulation

extension ChipCase {
  static let bno055 = ChipCase(
    model: .bno055, address: 0x28,
    emulated: { EmulatedBNO055(surroundings: $0) },
    driver: { BNO055(bus: $0, address: 0x28, settings: $1) },
    identity: (0x00, [(0xA1, nil), (0x24, nil), (0x00, nil)]),
    // Steps: Linux bno055.c, degrees a second over 1877467 rad/s; 10 mm/s²; 16 counts a microtesla.
    ranges: [250.0, 500, 1000, 2000].map { .angularRate(degrees: $0, step: $0 / 1_877_467) }
      + [2.0, 4, 8, 16].map { .specificForce(g: $0, step: 0.01) }
      + [
        ChipRange(
          quantity: .field, settings: ChipSettings(), inside: -1250...1250, beyond: 1400,
          step: SIMD3(repeating: 1.0 / 16))
      ],
    configurationRegister: 0x3B, settlingSamples: 8)
}

import Chips
import Simulation

extension ChipCase {
  static let bno085 = ChipCase(
    model: .bno085, address: 0x4A,
    emulated: { EmulatedBNO08x(surroundings: $0) },
    driver: { BNO08x(bus: $0, address: 0x4A, settings: $1) },
    // Steps by the Q points of CEVA's sh2_SensorValue.c: 9, 8 and 4.
    ranges: [
      .angularRate(degrees: 2000, step: 1.0 / 512), .specificForce(g: 8, step: 1.0 / 256),
      ChipRange(
        quantity: .field, settings: ChipSettings(), inside: -1250...1250, beyond: 1400,
        step: SIMD3(repeating: 1.0 / 16)),
    ],
    bootMilliseconds: 100)
}

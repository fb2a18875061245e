import Chips
import Simulation

extension ChipCase {
  static let rm3100 = ChipCase(
    model: .rm3100, address: 0x20,
    emulated: { EmulatedRM3100(surroundings: $0) },
    driver: { RM3100(bus: $0, address: 0x20, settings: $1) },
    identity: (0x36, [(0x21, nil), (0x00, nil)]),
    // Steps: Linux rm3100-core.c, 133, 263 and 500 microgauss. The rate chooses the cycle count.
    ranges: [(75.0, 0.0133), (150, 0.0263), (300, 0.05)].map {
      ChipRange(
        quantity: .field, settings: ChipSettings(rateHertz: $0.0), inside: -795...795,
        beyond: 810, step: SIMD3(repeating: $0.1))
    },
    configurationRegister: 0x0B)
}

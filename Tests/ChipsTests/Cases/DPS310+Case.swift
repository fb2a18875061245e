import Chips
import Simulation

extension ChipCase {
  static let dps310 = ChipCase(
    model: .dps310, address: 0x77,
    emulated: { EmulatedDPS310(surroundings: $0) },
    driver: { DPS310(bus: $0, address: 0x77, settings: $1) },
    identity: (0x0D, [(0x11, "SPL07-003 or SPA06-003"), (0x1A, nil)]),
    // Step: the data sheet's precision at 16 measurements, 0.35 Pa.
    ranges: [
      ChipRange(
        quantity: .pressure, settings: ChipSettings(), inside: 25...1195, beyond: nil,
        step: SIMD3(repeating: 0.003_5))
    ],
    configurationRegister: 0x06)

  static let spl06 = ChipCase(
    model: .spl06, address: 0x77,
    emulated: { EmulatedDPS310(.spl06, surroundings: $0) },
    driver: { DPS310(bus: $0, address: 0x77, variant: .spl06, settings: $1) },
    identity: (0x0D, [(0x11, nil), (0x1A, nil)]),
    ranges: ChipCase.dps310.ranges, configurationRegister: 0x06)

  static let spl07 = ChipCase(
    model: .spl07, address: 0x77,
    emulated: { EmulatedDPS310(.spl07, surroundings: $0) },
    driver: { DPS310(bus: $0, address: 0x77, variant: .spl07, settings: $1) },
    identity: (0x0D, [(0x10, "DPS310 or SPL06-001"), (0x1A, nil)]),
    ranges: ChipCase.dps310.ranges, configurationRegister: 0x06)
}

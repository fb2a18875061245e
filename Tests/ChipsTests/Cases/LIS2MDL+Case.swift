import Chips
import Simulation

extension ChipCase {
  static let lis2mdl = ChipCase(
    model: .lis2mdl, address: 0x1E,
    emulated: { EmulatedLIS2MDL(surroundings: $0) },
    driver: { LIS2MDL(bus: $0, address: 0x1E, settings: $1) },
    identity: (0x4F, [(0x3D, nil), (0x00, nil)]),
    // Step: Linux st_magn_core.c, gain 1500 microgauss.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 4900), inside: -4900...4900,
        beyond: 4930, step: SIMD3(repeating: 0.15))
    ],
    configurationRegister: 0x61)
}

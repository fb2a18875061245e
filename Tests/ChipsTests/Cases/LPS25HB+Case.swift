import Chips
import Simulation

extension ChipCase {
  static let lps25hb = ChipCase(
    model: .lps25hb, address: 0x5C,
    emulated: { EmulatedLPS25HB(surroundings: $0) },
    driver: { LPS25HB(bus: $0, address: 0x5C, settings: $1) },
    identity: (0x0F, [(0xB1, "LPS22HB"), (0xBB, "LPS331AP"), (0x01, nil)]),
    // Step: Linux st_pressure_core.c: 4096 counts a millibar.
    ranges: [
      ChipRange(
        quantity: .pressure, settings: ChipSettings(), inside: 265...1255, beyond: nil,
        step: SIMD3(repeating: 0.000_244))
    ],
    configurationRegister: 0x10)
}

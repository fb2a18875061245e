import Chips
import Simulation

extension ChipCase {
  static let mpl3115a2 = ChipCase(
    model: .mpl3115a2, address: 0x60,
    emulated: { EmulatedMPL3115A2(surroundings: $0) },
    driver: { MPL3115A2(bus: $0, address: 0x60, settings: $1) },
    identity: (0x0C, [(0x00, nil), (0xC5, nil)]),
    ranges: [
      ChipRange(
        quantity: .pressure, settings: ChipSettings(), inside: 25...1095, beyond: nil,
        step: SIMD3(repeating: 0.002_5))
    ],
    configurationRegister: 0x13)
}

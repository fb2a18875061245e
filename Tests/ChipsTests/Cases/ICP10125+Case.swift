import Chips
import Simulation

extension ChipCase {
  static let icp10125 = ChipCase(
    model: .icp10125, address: 0x63,
    emulated: { EmulatedICP10125(surroundings: $0) },
    driver: { ICP10125(bus: $0, address: 0x63, settings: $1) },
    identity: nil,
    // Step: a count is 0.007 Pa; the data sheet's noise in the low-noise mode is 0.8 Pa.
    ranges: [
      ChipRange(
        quantity: .pressure, settings: ChipSettings(), inside: 255...1145, beyond: nil,
        step: SIMD3(repeating: 0.008))
    ],
    configurationRegister: nil, survivesPowerLoss: true, impossiblePressures: [240, 1160])
}

import Chips
import Simulation

extension ChipCase {
  static let ist8310 = ChipCase(
    model: .ist8310, address: 0x0E,
    emulated: { EmulatedIST8310(surroundings: $0) },
    driver: { IST8310(bus: $0, address: 0x0E, settings: $1) },
    identity: (0x00, [(0x48, nil), (0x09, nil)]),
    // Step: PX4's 1320 counts a gauss.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 1600), inside: -1590...1590,
        beyond: 1610, step: SIMD3(repeating: 0.076))
    ],
    configurationRegister: 0x41)
}

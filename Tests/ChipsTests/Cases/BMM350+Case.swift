import Chips
import Simulation

extension ChipCase {
  static let bmm350 = ChipCase(
    model: .bmm350, address: 0x14,
    emulated: { EmulatedBMM350(surroundings: $0) },
    driver: { BMM350(bus: $0, address: 0x14, settings: $1) },
    identity: (0x00, [(0x32, nil), (0x43, nil)]),
    // Steps: PX4's lsb_to_utc_degc, 0.00707 and 0.00717.
    ranges: [
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: 2000), inside: -1990...1990,
        beyond: 2010, step: SIMD3(repeating: 0.0072))
    ],
    configurationRegister: 0x04)
}

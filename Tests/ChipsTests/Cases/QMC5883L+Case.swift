import Chips
import Simulation

extension ChipCase {
  static let qmc5883l = ChipCase(
    model: .qmc5883l, address: 0x0D,
    emulated: { EmulatedQMC5883L(surroundings: $0) },
    driver: { QMC5883L(bus: $0, address: 0x0D, settings: $1) },
    identity: (0x0D, [(0x00, nil), (0x10, nil)]),
    // Steps: PX4 QMC5883L.cpp (1/12000 gauss at 2 gauss) and a quarter of that; in microtesla.
    // A field beyond the range of 16 bits.
    ranges: [(200.0, 0.008_333), (800, 0.033_333)].map {
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: $0.0),
        inside: -$0.0 * 0.99...$0.0 * 0.99,
        beyond: $0.0 * 1.4, step: SIMD3(repeating: $0.1))
    },
    configurationRegister: 0x09)
}

import Chips
import Simulation

extension ChipCase {
  static let hmc5883l = ChipCase(
    model: .hmc5883l, address: 0x1E,
    emulated: { EmulatedHMC5883L(surroundings: $0) },
    driver: { HMC5883L(bus: $0, address: 0x1E, settings: $1) },
    identity: (0x0A, [(0x10, nil), (0x01, nil)]),
    // Steps: Linux hmc5843_core.c, hmc5883l_regval_to_nanoscale, in microtesla. The converter
    // overflows after 2047 of them.
    ranges: [
      (88.0, 0.072_99), (130, 0.091_74), (190, 0.121_95), (250, 0.151_52), (400, 0.227_27),
      (470, 0.256_41), (560, 0.303_03), (810, 0.434_78),
    ].map {
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: $0.0), inside: -$0.0...$0.0,
        beyond: $0.1 * 2060, step: SIMD3(repeating: $0.1))
    },
    configurationRegister: 0x00)
}

import Chips
import Simulation

extension ChipCase {
  static let lsm9ds1Magnetometer = ChipCase(
    model: .lsm9ds1Magnetometer, address: 0x1E,
    emulated: { EmulatedLSM9DS1Magnetometer(surroundings: $0) },
    driver: { LIS3MDL(bus: $0, address: 0x1E, settings: $1, model: .lsm9ds1Magnetometer) },
    identity: (0x0F, [(0x01, nil)]),
    // Steps: Linux st_magn_core.c, 6.12: 146, 292, 438 and 584 microgauss, rounded as the kernel
    // does.
    ranges: [(400.0, 0.014_6), (800, 0.029_2), (1200, 0.043_8), (1600, 0.058_4)].map {
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: $0.0),
        inside: -$0.0 * 0.99...$0.0 * 0.99, beyond: $0.0 * 1.02, step: SIMD3(repeating: $0.1))
    },
    configurationRegister: 0x23)
}

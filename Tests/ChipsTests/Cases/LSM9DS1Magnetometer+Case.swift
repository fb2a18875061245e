import Chips
import Simulation

extension ChipCase {
  static let lsm9ds1Magnetometer = ChipCase(
    model: .lsm9ds1Magnetometer, address: 0x1E,
    emulated: { EmulatedLSM9DS1Magnetometer(surroundings: $0) },
    driver: { LSM9DS1Magnetometer(bus: $0, address: 0x1E, settings: $1) },
    identity: (0x0F, [(0x01, nil)]),
    // Steps: SparkFun's LSM9DS1 driver, 0.00014 to 0.00058 gauss, the last also in PX4's and
    // ArduPilot's; in microtesla.
    ranges: [(400.0, 0.014), (800, 0.029), (1200, 0.043), (1600, 0.058)].map {
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: $0.0),
        inside: -$0.0 * 0.99...$0.0 * 0.99, beyond: $0.0 * 1.02, step: SIMD3(repeating: $0.1))
    },
    configurationRegister: 0x23)
}

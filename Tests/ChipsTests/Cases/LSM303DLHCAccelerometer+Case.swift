import Chips
import Simulation

extension ChipCase {
  static let lsm303dlhcAccelerometer = ChipCase(
    model: .lsm303dlhcAccelerometer, address: 0x19,
    emulated: { EmulatedLSM303DLHCAccelerometer(surroundings: $0) },
    driver: { LSM303DLHCAccelerometer(bus: $0, address: 0x19, settings: $1) },
    identity: (0x0F, [(0x44, "LIS2DW12"), (0x32, "LIS331DLH")]),
    // Steps: Linux st_accel_core.c, ST_ACCEL_1: micro-g of a 12-bit count; 2048 counts to an end.
    ranges: [
      .specificForce(g: 2, rail: 2.048, step: 1000e-6 * 9.806_65),
      .specificForce(g: 4, rail: 4.096, step: 2000e-6 * 9.806_65),
      .specificForce(g: 8, rail: 8.192, step: 4000e-6 * 9.806_65),
      .specificForce(g: 16, rail: 24.576, step: 12_000e-6 * 9.806_65),
    ],
    configurationRegister: 0x23, fifoRegisters: [0xA8])

  static let lsm303agrAccelerometer = ChipCase(
    model: .lsm303agrAccelerometer, address: 0x19,
    emulated: { EmulatedLSM303DLHCAccelerometer(surroundings: $0, isAGR: true) },
    driver: {
      LSM303DLHCAccelerometer(
        bus: $0, address: 0x19, settings: $1, model: .lsm303agrAccelerometer)
    },
    identity: (0x0F, [(0x44, "LIS2DW12"), (0x32, "LIS331DLH"), (0x3F, nil)]),
    // Steps: DocID027765 table 3; 2048 counts to an end.
    ranges: [
      .specificForce(g: 2, rail: 2.007, step: 980e-6 * 9.806_65),
      .specificForce(g: 4, rail: 3.994, step: 1950e-6 * 9.806_65),
      .specificForce(g: 8, rail: 7.987, step: 3900e-6 * 9.806_65),
      .specificForce(g: 16, rail: 24.003, step: 11_720e-6 * 9.806_65),
    ],
    configurationRegister: 0x23, fifoRegisters: [0xA8])
}

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
}

import Chips
import Simulation

extension ChipCase {
  static let lsm303dlhcMagnetometer = ChipCase(
    model: .lsm303dlhcMagnetometer, address: 0x1E,
    emulated: { EmulatedLSM303DLHCMagnetometer(surroundings: $0) },
    driver: { LSM303DLHCMagnetometer(bus: $0, address: 0x1E, settings: $1) },
    identity: (0x0A, [(0x10, nil), (0x01, nil)]),
    // Steps on x and y and on z: Linux st_magn_core.c, microgauss; in microtesla. The converter
    // overflows after 2047 of them.
    ranges: [
      (130.0, 0.0909, 0.1020), (190, 0.1169, 0.1315), (250, 0.1492, 0.1666),
      (400, 0.2222, 0.2500), (470, 0.2500, 0.2816), (560, 0.3030, 0.3389), (810, 0.4347, 0.4878),
    ].map {
      ChipRange(
        quantity: .field, settings: ChipSettings(fieldMicrotesla: $0.0), inside: -$0.0...$0.0,
        beyond: $0.1 * 2060, step: SIMD3($0.1, $0.1, $0.2))
    },
    configurationRegister: 0x00)
}

import Chips
import Simulation

extension ChipCase {
  static let lsm9ds1Inertial = ChipCase(
    model: .lsm9ds1Inertial, address: 0x6B,
    emulated: { EmulatedLSM9DS1Inertial(surroundings: $0) },
    driver: { LSM9DS1Inertial(bus: $0, address: 0x6B, settings: $1) },
    identity: (
      0x0F,
      [
        (0x69, "LSM6DS3"), (0x6A, "LSM6DS3TR-C"), (0x6C, "LSM6DSO"), (0xD4, "L3GD20"),
        (0x3D, nil),
      ]
    ),
    // Steps: Linux st_lsm6dsx_core.c, WHO_AM_I 0x68: microdegrees per second, micro-g. The counts'
    // ends in degrees per second and g follow from them by 32,768.
    ranges: [
      .angularRate(degrees: 245, rail: 286.8, step: 8750e-6 * .pi / 180),
      .angularRate(degrees: 500, rail: 573.5, step: 17_500e-6 * .pi / 180),
      .angularRate(degrees: 2000, rail: 2294, step: 70_000e-6 * .pi / 180),
      .specificForce(g: 2, step: 61e-6 * 9.806_65), .specificForce(g: 4, step: 122e-6 * 9.806_65),
      .specificForce(g: 8, step: 244e-6 * 9.806_65),
      .specificForce(g: 16, rail: 23.99, step: 732e-6 * 9.806_65),
    ],
    configurationRegister: 0x20, fifoRegisters: [0x18, 0x28])
}

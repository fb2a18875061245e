import Chips
import Simulation

extension ChipCase {
  static let bmx055Accelerometer = ChipCase(
    model: .bmx055Accelerometer, address: 0x18,
    emulated: { EmulatedBMX055(.accelerometer, surroundings: $0) },
    driver: { BMX055(bus: $0, address: 0x18, settings: $1, half: .accelerometer) },
    identity: (0x00, [(0xF8, nil), (0xFB, nil), (0x00, nil)]),
    // Steps: Linux bmc150-accel-core.c, µm/s² of a 12-bit count.
    ranges: [
      .specificForce(g: 2, step: 9577e-6), .specificForce(g: 4, step: 19_154e-6),
      .specificForce(g: 8, step: 38_307e-6), .specificForce(g: 16, step: 76_614e-6),
    ],
    configurationRegister: 0x0F, fifoRegisters: [0x3F], fifoSamples: 32)

  static let bmx055Gyroscope = ChipCase(
    model: .bmx055Gyroscope, address: 0x68,
    emulated: { EmulatedBMX055(.gyroscope, surroundings: $0) },
    driver: { BMX055(bus: $0, address: 0x68, settings: $1, half: .gyroscope) },
    identity: (0x00, [(0xD1, "BMI160"), (0x24, "BMI270"), (0x00, nil)]),
    // Steps: Linux bmg160_core.c, microradians a second.
    ranges: [(250.0, 133.0), (500, 266), (1000, 532), (2000, 1065)].map {
      .angularRate(degrees: $0.0, step: $0.1 * 1e-6)
    },
    configurationRegister: 0x10, fifoRegisters: [0x3F], fifoSamples: 100)
}

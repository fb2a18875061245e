import Chips
import Simulation

extension ChipCase {
  static let bmi088Accelerometer = ChipCase(
    model: .bmi088Accelerometer, address: 0x18,
    emulated: { EmulatedBMI088Accelerometer(surroundings: $0) },
    driver: { BMI088Accelerometer(bus: $0, address: 0x18, settings: $1) },
    identity: (0x00, [(0x1F, nil), (0x1A, nil), (0x00, nil)]),
    // Steps: PX4 BMI088_Accelerometer.cpp, 1.5 g times 2 to the range plus one over 2^15 counts.
    ranges: [3.0, 6, 12, 24].map { .specificForce(g: $0, step: $0 * 9.806_65 / 32_768) },
    configurationRegister: 0x41, fifoRegisters: [0x26], fifoSamples: 146)

  static let bmi088Gyroscope = ChipCase(
    model: .bmi088Gyroscope, address: 0x68,
    emulated: { EmulatedBMI088Gyroscope(surroundings: $0) },
    driver: { BMI088Gyroscope(bus: $0, address: 0x68, settings: $1) },
    identity: (0x00, [(0xD1, "BMI160"), (0x24, "BMI270"), (0xEA, "ICM-20948"), (0x00, nil)]),
    // Steps: ArduPilot AP_InertialSensor_BMI088.cpp, 2000 degrees per second over 2^15 counts, and
    // its halves.
    ranges: [250.0, 500, 1000, 2000].map {
      .angularRate(degrees: $0, step: $0 * .pi / 180 / 32_768)
    },
    configurationRegister: 0x0F, fifoRegisters: [0x3F], fifoSamples: 100)
}

import Chips

extension ChipModel {
  /// The emulated chip, as after power-on.
  package func emulated(_ surroundings: any Surroundings) -> any EmulatedChip {
    switch self {
    case .lis3mdl: EmulatedLIS3MDL(surroundings: surroundings)
    case .hmc5883l: EmulatedHMC5883L(surroundings: surroundings)
    case .qmc5883l: EmulatedQMC5883L(surroundings: surroundings)
    case .lsm303dlhcMagnetometer: EmulatedLSM303DLHCMagnetometer(surroundings: surroundings)
    case .lsm9ds1Magnetometer: EmulatedLSM9DS1Magnetometer(surroundings: surroundings)
    case .mpu6050: EmulatedMPU6050Family(.mpu6050, surroundings: surroundings)
    case .mpu6500: EmulatedMPU6050Family(.mpu6500, surroundings: surroundings)
    case .mpu9250: EmulatedMPU6050Family(.mpu9250, surroundings: surroundings)
    case .lsm9ds1Inertial: EmulatedLSM9DS1Inertial(surroundings: surroundings)
    case .lsm303dlhcAccelerometer: EmulatedLSM303DLHCAccelerometer(surroundings: surroundings)
    case .ak8963: EmulatedAK8963(surroundings: surroundings)
    case .bmp280: EmulatedBMP280(surroundings: surroundings, variant: .bmp280)
    case .bme280: EmulatedBMP280(surroundings: surroundings, variant: .bme280)
    case .lps25hb: EmulatedLPS25HB(surroundings: surroundings)
    case .ms5611: EmulatedMS5611(surroundings: surroundings)
    }
  }
}

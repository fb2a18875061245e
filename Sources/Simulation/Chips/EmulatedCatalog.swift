import Chips

/// The emulated chips' table, one line a chip.
private func emulators() -> [(model: ChipModel, make: (any Surroundings) -> any EmulatedChip)] {
  [
    (.lis3mdl, { EmulatedLIS3MDL(surroundings: $0) }),
    (.lis2mdl, { EmulatedLIS2MDL(surroundings: $0) }),
    (.ist8310, { EmulatedIST8310(surroundings: $0) }),
    (.ak09916, { EmulatedAK09916(surroundings: $0) }),
    (.mmc5603, { EmulatedMMC5603(surroundings: $0) }),
    (.mmc5983ma, { EmulatedMMC5983MA(surroundings: $0) }),
    (.bmm150, { EmulatedBMM150(surroundings: $0) }),
    (.rm3100, { EmulatedRM3100(surroundings: $0) }),
    (.bmm350, { EmulatedBMM350(surroundings: $0) }),
    (.hmc5883l, { EmulatedHMC5883L(surroundings: $0) }),
    (.qmc5883l, { EmulatedQMC5883L(surroundings: $0) }),
    (.qmc5883p, { EmulatedQMC5883P(surroundings: $0) }),
    (.qmc6310, { EmulatedQMC5883P(surroundings: $0, part: .qmc6310) }),
    (.qmc6309, { EmulatedQMC5883P(surroundings: $0, part: .qmc6309) }),
    (.mag3110, { EmulatedMAG3110(surroundings: $0) }),
    (.mlx90393, { EmulatedMLX90393(surroundings: $0) }),
    (.lsm303dlhcMagnetometer, { EmulatedLSM303DLHCMagnetometer(surroundings: $0) }),
    (.lsm9ds1Magnetometer, { EmulatedLSM9DS1Magnetometer(surroundings: $0) }),
    (.mpu6050, { EmulatedMPU6050Family(.mpu6050, surroundings: $0) }),
    (.mpu6500, { EmulatedMPU6050Family(.mpu6500, surroundings: $0) }),
    (.mpu9250, { EmulatedMPU6050Family(.mpu9250, surroundings: $0) }),
    (.mpu6886, { EmulatedMPU6050Family(.mpu6886, surroundings: $0) }),
    (.icm20689, { EmulatedMPU6050Family(.icm20689, surroundings: $0) }),
    (.icm20602, { EmulatedMPU6050Family(.icm20602, surroundings: $0) }),
    (.icm20608, { EmulatedMPU6050Family(.icm20608, surroundings: $0) }),
    (.lsm9ds1Inertial, { EmulatedLSM9DS1Inertial(surroundings: $0) }),
    (.lsm6ds3, { EmulatedLSM6DSFamily(.lsm6ds3, surroundings: $0) }),
    (.lsm6ds3trc, { EmulatedLSM6DSFamily(.lsm6ds3trc, surroundings: $0) }),
    (.lsm6dso, { EmulatedLSM6DSFamily(.lsm6dso, surroundings: $0) }),
    (.lsm6dso32, { EmulatedLSM6DSFamily(.lsm6dso32, surroundings: $0) }),
    (.lsm6dsv, { EmulatedLSM6DSFamily(.lsm6dsv, surroundings: $0) }),
    (.lsm6dsv32x, { EmulatedLSM6DSFamily(.lsm6dsv32x, surroundings: $0) }),
    (.ism330dhcx, { EmulatedLSM6DSFamily(.ism330dhcx, surroundings: $0) }),
    (.l3g4200d, { EmulatedL3GD20(.l3g4200d, surroundings: $0) }),
    (.l3gd20, { EmulatedL3GD20(.l3gd20, surroundings: $0) }),
    (.l3gd20h, { EmulatedL3GD20(.l3gd20h, surroundings: $0) }),
    (.adxl345, { EmulatedADXL345(surroundings: $0) }),
    (.itg3205, { EmulatedITG3205(surroundings: $0) }),
    (.qmi8658, { EmulatedQMI8658(surroundings: $0) }),
    (.icm20948, { EmulatedICM20948(surroundings: $0) }),
    (.bmi160, { EmulatedBMI160(surroundings: $0) }),
    (.bno055, { EmulatedBNO055(surroundings: $0) }),
    (.bno085, { EmulatedBNO08x(surroundings: $0) }),
    (.bmi270, { EmulatedBMI270(surroundings: $0) }),
    (.icm42688p, { EmulatedICM42688P(surroundings: $0) }),
    (.icm42670p, { EmulatedICM42670P(surroundings: $0) }),
    (.icm45686, { EmulatedICM45686(surroundings: $0) }),
    (.bmx055Accelerometer, { EmulatedBMX055(.accelerometer, surroundings: $0) }),
    (.bmx055Gyroscope, { EmulatedBMX055(.gyroscope, surroundings: $0) }),
    (.fxos8700, { EmulatedFXOS8700(surroundings: $0) }),
    (.fxas21002, { EmulatedFXAS21002(surroundings: $0) }),
    (.lsm303d, { EmulatedLSM303D(surroundings: $0) }),
    (.lsm9ds0, { EmulatedLSM303D(surroundings: $0, isLSM9DS0: true) }),
    (.icm42605, { EmulatedICM42688P(surroundings: $0, whoAmI: 0x42) }),
    (.iim42652, { EmulatedICM42688P(surroundings: $0, whoAmI: 0x6F) }),
    (.bmi088Gyroscope, { EmulatedBMI088Gyroscope(surroundings: $0) }),
    (.bmi088Accelerometer, { EmulatedBMI088Accelerometer(surroundings: $0) }),
    (.lsm303dlhcAccelerometer, { EmulatedLSM303DLHCAccelerometer(surroundings: $0) }),
    (.lsm303agrAccelerometer, { EmulatedLSM303DLHCAccelerometer(surroundings: $0, isAGR: true) }),
    (.ak8963, { EmulatedAK8963(surroundings: $0) }),
    (.bmp180, { EmulatedBMP180(surroundings: $0) }),
    (.bmp280, { EmulatedBMP280(surroundings: $0, variant: .bmp280) }),
    (.bme280, { EmulatedBMP280(surroundings: $0, variant: .bme280) }),
    (.bmp388, { EmulatedBMP388(surroundings: $0, identity: 0x50) }),
    (.bmp390, { EmulatedBMP388(surroundings: $0, identity: 0x60) }),
    (.bmp581, { EmulatedBMP581(surroundings: $0, identity: 0x50) }),
    (.bmp585, { EmulatedBMP581(surroundings: $0, identity: 0x51) }),
    (.lps25hb, { EmulatedLPSFamily(.lps25hb, surroundings: $0) }),
    (.lps22hb, { EmulatedLPSFamily(.lps22hb, surroundings: $0) }),
    (.lps22hh, { EmulatedLPSFamily(.lps22hh, surroundings: $0) }),
    (.lps22df, { EmulatedLPSFamily(.lps22df, surroundings: $0) }),
    (.dps310, { EmulatedDPS310(surroundings: $0) }),
    (.spl07, { EmulatedDPS310(.spl07, surroundings: $0) }),
    (.spl06, { EmulatedDPS310(.spl06, surroundings: $0) }),
    (.qmp6988, { EmulatedQMP6988(surroundings: $0) }),
    (.smpb02b, { EmulatedQMP6988(.smpb02b, surroundings: $0) }),
    (.mpl3115a2, { EmulatedMPL3115A2(surroundings: $0) }),
    (.bme680, { EmulatedBME680(surroundings: $0) }),
    (.icp10125, { EmulatedICP10125(surroundings: $0) }),
    (.ms5611, { EmulatedMS5611(surroundings: $0) }),
    (.ms5607, { EmulatedMS5611(.ms5607, surroundings: $0) }),
    (.ms5637, { EmulatedMS5611(.ms5637, surroundings: $0) }),
    (.ms5837With30Bar, { EmulatedMS5611(.ms5837With30Bar, surroundings: $0) }),
    (.ms5837With2Bar, { EmulatedMS5611(.ms5837With2Bar, surroundings: $0) }),
  ]
}

extension ChipModel {
  /// The emulated chip, as after power-on.
  package func emulated(_ surroundings: any Surroundings) -> any EmulatedChip {
    for (model, make) in emulators() where model == self { return make(surroundings) }
    preconditionFailure("\(rawValue) has no emulated chip")
  }

  /// The emulated module on a serial line, as after power-on; nil for a chip without a serial
  /// interface.
  package func emulatedSerial(_ surroundings: any Surroundings) -> (any EmulatedSerialDevice)? {
    switch self {
    case .bno055: EmulatedBNO055Line(EmulatedBNO055(surroundings: surroundings))
    case .bno085: EmulatedBNO08xLine(EmulatedBNO08x(surroundings: surroundings))
    case .wt901: EmulatedWT901(surroundings: surroundings)
    default: nil
    }
  }
}

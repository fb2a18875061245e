#if !hasFeature(Embedded)

  extension ChipFact {
    /// The facts by chip, one line a chip; each chip's rows stand in a file of their own.
    public static let table: [(model: ChipModel, facts: [ChipFact])] = [
      (.lis2mdl, lis2mdl),
      (.lsm6ds3, lsm6ds3),
      (.lsm6ds3trc, lsm6ds3trc),
      (.lsm6dso, lsm6dso),
      (.lsm6dso32, lsm6dso32),
      (.lsm6dsv, lsm6dsv),
      (.lsm6dsv32x, lsm6dsv32x),
      (.ism330dhcx, ism330dhcx),
      (.l3g4200d, l3g4200d),
      (.l3gd20, l3gd20),
      (.l3gd20h, l3gd20h),
      (.itg3205, itg3205),
      (.adxl345, adxl345),
      (.qmc5883l, qmc5883l),
      (.qmc5883p, qmc5883p),
      (.qmc6310, qmc6310),
      (.qmc6309, qmc6309),
      (.mag3110, mag3110),
      (.mlx90393, mlx90393),
      (.mmc5603, mmc5603),
      (.mmc5983ma, mmc5983ma),
      (.hmc5883l, hmc5883l),
      (.lsm303dlhcMagnetometer, lsm303dlhcMagnetometer),
      (.bmx055Accelerometer, bmx055Accelerometer),
      (.bmx055Gyroscope, bmx055Gyroscope),
      (.fxos8700, fxos8700),
      (.fxas21002, fxas21002),
      (.lsm303d, lsm303d),
      (.lsm9ds0, lsm9ds0),
      (.lsm9ds1Inertial, lsm9ds1Inertial),
      (.lsm303dlhcAccelerometer, lsm303dlhcAccelerometer),
      (.lsm303agrAccelerometer, lsm303agrAccelerometer),
      (.lis3mdl, lis3mdl),
      (.lsm9ds1Magnetometer, lsm9ds1Magnetometer),
      (.ist8310, ist8310),
      (.ak8963, ak8963),
      (.ak09916, ak09916),
      (.rm3100, rm3100),
      (.bmm150, bmm150),
      (.bmm350, bmm350),
      (.mpu6050, mpu6050),
      (.mpu6500, mpu6500),
      (.mpu9250, mpu9250),
      (.mpu6886, mpu6886),
      (.icm20602, icm20602),
      (.icm20608, icm20608),
      (.icm20689, icm20689),
      (.qmi8658, qmi8658),
      (.icm20948, icm20948),
      (.icm42688p, icm42688p),
      (.icm42605, icm42605),
      (.iim42652, iim42652),
      (.icm42670p, icm42670p),
      (.icm45686, icm45686),
      (.bmi160, bmi160),
      (.bmi270, bmi270),
      (.bmi088Accelerometer, bmi088Accelerometer),
      (.bmi088Gyroscope, bmi088Gyroscope),
      (.bno055, bno055),
      (.bno085, bno085),
      (.wt901, wt901),
      (.bmp180, bmp180),
      (.bmp280, bmp280),
      (.bme280, bme280),
      (.bmp388, bmp388),
      (.bmp390, bmp390),
      (.bmp581, bmp581),
      (.bmp585, bmp585),
      (.lps25hb, lps25hb),
      (.lps22hb, lps22hb),
      (.lps22hh, lps22hh),
      (.lps22df, lps22df),
      (.icp10125, icp10125),
      (.dps310, dps310),
      (.spl06, spl06),
      (.spl07, spl07),
      (.ms5611, ms5611),
      (.ms5607, ms5607),
      (.ms5637, ms5637),
      (.ms5837With30Bar, ms5837With30Bar),
      (.ms5837With2Bar, ms5837With2Bar),
      (.qmp6988, qmp6988),
      (.smpb02b, smpb02b),
      (.mpl3115a2, mpl3115a2),
      (.bme680, bme680),
    ]
  }

  extension ChipModel {
    /// What is known of it, with sources; empty for a chip of the kernel.
    public var facts: [ChipFact] { ChipFact.table.first { $0.model == self }?.facts ?? [] }

    /// The cautions of several chips, those of equal ones once.
    public static func cautions(of models: [ChipModel]) -> [String] {
      var seen: Set<ChipModel> = []
      return models.filter { seen.insert($0).inserted }.flatMap { $0.cautions }
    }

    /// Its facts that fewer than two sources agree on, each as a line for its user: those that may
    /// make its numbers wrong.
    public var cautions: [String] {
      facts.filter(\.subject.changesNumbers).compactMap(\.caution).map {
        "\(rawValue), not proven: \($0)"
      }
    }
  }

#endif

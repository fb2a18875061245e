#if !hasFeature(Embedded)

  extension ChipFact {
    /// The facts by chip, one line a chip; each chip's rows stand in a file of their own.
    public static let table: [(model: ChipModel, facts: [ChipFact])] = [
      (.lis2mdl, lis2mdl),
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
      (.bmi160, bmi160),
      (.bmi270, bmi270),
      (.bmi088Accelerometer, bmi088Accelerometer),
      (.bmi088Gyroscope, bmi088Gyroscope),
      (.bno055, bno055),
      (.bno085, bno085),
      (.wt901, wt901),
    ]
  }

  extension ChipModel {
    /// What is known of it, with sources; empty for a chip of the kernel.
    public var facts: [ChipFact] { ChipFact.table.first { $0.model == self }?.facts ?? [] }

    /// Its facts that fewer than two sources agree on, each as a line for its user.
    public var cautions: [String] {
      facts.compactMap(\.caution).map { "\(rawValue), not proven: \($0)" }
    }
  }

#endif

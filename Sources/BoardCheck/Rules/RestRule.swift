import Chips
import Pipeline
import Quantities

/// Offsets, noise and gravity of a board that lies still.
enum RestRule {
  /// The largest offset of a gyroscope in a case that is warm: its data sheet's tolerance at 25 °C,
  /// and 20 kelvin above that by the slope of the data sheet's limits, degrees a second.
  ///
  /// Sources: MPU-6050: PS-MPU-6000A-00 revision 3.4, table 6.1 (20; 20 from -40 to 85 °C).
  /// MPU-6500 and MPU-9250: PS-MPU-9250A-01 revision 1.0, table 1 (5; 30 from -40 to 85 °C).
  /// LSM9DS1: DocID025715 revision 3, table 3 (30 at 2000 degrees a second). LSM6DS3: DocID026899
  /// revision 10, table 3 (10; 0.05 a kelvin); its successors have less.
  private static func largestOffset(_ chip: ChipModel?) -> Double {
    switch chip {
    case .mpu6050: 20 + 20 * 20.0 / 125
    case .lsm9ds1Inertial: 30
    case .lsm6ds3: 10 + 20 * 0.05
    default: 5 + 20 * 30.0 / 125
    }
  }

  /// Noise of a magnetometer at rest that none of the supported chips has by itself, one sigma of
  /// three axes together, microtesla: three times the HMC5883L's 0.2 µT an axis would be 1; a
  /// current that is switched beside it gives more.
  private static let largestFieldNoise = 2.0
  /// Largest deviation of the measured gravity, as a share: what the mount by gravity accepts too.
  private static let gravityTolerance = MountFinder.largestDeviation

  static func findings(_ data: CheckData, _ outcome: inout CheckOutcome) -> [CheckFinding] {
    var (rate, force, field, pressure) = (Spread(), Spread(), Spread(), Spread())
    for row in data.rows(data.rest) {
      if let value = row.inertial?.angularRate?.components { rate.add(value) }
      if let value = row.inertial?.specificForce?.components { force.add(value) }
      if let value = row.field?.field.components { field.add(value) }
      if let value = row.pressure?.hectopascal { pressure.add(SIMD3(value, 0, 0)) }
    }
    var findings: [CheckFinding] = []
    let unit = data.chips(.inertia).first
    if rate.count > 1 {
      let offset = rate.mean.length * 180 / .pi
      outcome.add("offset of the gyroscope", offset, 2, "degrees a second")
      outcome.add("noise of the gyroscope", rate.deviation * 180 / .pi, 3, "degrees a second")
      let largest = largestOffset(unit?.sensor.chip)
      if offset > largest, data.isRecording, field.count == 0 {
        // Nobody was asked to lay it down, and a turntable turns as evenly as an offset.
        outcome.notes.append(
          "not shown by this recording: whether \(CheckFigures.fixed(offset, 1)) degrees a second are an offset of the gyroscope "
            + "or an even turn: it has no magnetic field")
      } else if offset > largest {
        findings.append(
          CheckFinding(
            .hotGyroscope, on: data.name(of: .inertia),
            "its gyroscope has an offset beyond its data sheet at 45 °C: it is hot or damaged",
            figure:
              "\(CheckFigures.fixed(offset, 1)) degrees a second at rest, at most \(CheckFigures.fixed(largest, 1)) are usual",
            remedy:
              "move the chip away from the processor and the regulator, or cool it; if it stays when cold, replace "
              + "the chip"))
      }
    }
    if force.count > 1 {
      outcome.add("gravity", force.mean.length, 3, "m/s²")
      outcome.add("noise of the accelerometer", force.deviation * 1e3, 1, "mm/s²")
      if abs(force.mean.length / 9.806_65 - 1) > gravityTolerance {
        findings.append(
          CheckFinding(
            .wrongGravity, on: data.name(of: .inertia),
            "its accelerometer does not measure gravity",
            figure: "\(CheckFigures.fixed(force.mean.length, 2)) m/s² at rest instead of 9.81",
            remedy:
              "check with lodestar probe which chip it is; calibrate it with lodestar calibrate accelerometer, or replace it"
          ))
      }
    }
    if field.count > 1 {
      outcome.add("noise of the magnetometer", field.deviation, 2, "µT")
      if field.deviation > largestFieldNoise {
        findings.append(
          CheckFinding(
            .fieldNoise, on: data.name(of: .field), "its field is disturbed at rest",
            figure: "\(CheckFigures.fixed(field.deviation, 1)) microtesla, one sigma",
            remedy:
              "lead wires with currents away from it and twist them; see lodestar calibrate load for a motor's"
          ))
      }
    }
    if pressure.count > 1 {
      outcome.add("noise of the barometer", pressure.deviation * 100, 2, "Pa")
    }
    return findings
  }
}

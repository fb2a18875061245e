import CalibrationFit
import Foundation
import Quantities
import Storage
import TestSupport

enum Fixtures {
  static let identity = ProfileIdentity(
    sensor: SensorIdentity(part: "LIS3MDL", bus: "i2c-1", address: 0x1E), board: "Sense HAT")
  static let other = ProfileIdentity(
    sensor: SensorIdentity(part: "MMC5983MA", bus: "i2c-3", address: 0x30), board: "Sense HAT")
  static let made = UTCTime(nanosecondsSince1970: 1_795_278_750_125_000_000)

  /// A profile of the required parts.
  static func small(
    _ identity: ProfileIdentity = identity, quality: CalibrationState = .fair,
    hardIron: Double = 12.5
  ) -> CalibrationProfile {
    CalibrationProfile(
      made: made, identity: identity, conditions: CalibrationConditions(origin: .guided),
      result: CalibrationResult(
        softIron: Matrix3(rows: SIMD3(1.1, 0, 0.01), SIMD3(0, 0.9, 0), SIMD3(0.01, 0, 1)),
        hardIronMicrotesla: SIMD3(hardIron, -3, 40.1), quality: quality))
  }

  /// A profile with every field, with numbers of many digits.
  static func full() -> CalibrationProfile {
    var p = small()
    p.generation = 7
    p.restoredFrom = 3
    p.identity.sensor.iioName = "lis3mdl_magn"
    p.identity.sensor.serial = "A\"7\\ü\u{1}"
    p.conditions.method = .ellipsoidAndGravity
    (p.conditions.latitudeDegrees, p.conditions.longitudeDegrees) = (52.1 / 3, -13.0 / 7)
    p.conditions.altitudeMetres = 34
    p.conditions.modelField = EarthField(horizontal: 18.9, down: 45.2)
    p.conditions.temperatureCelsius = 21.5
    p.conditions.activity = "marine"
    p.conditions.softwareVersion = "0.6.0"
    p.result.coverage = 2.0 / 3
    p.result.residualMicrotesla = 0.1 + 0.2
    p.result.predictedHeadingErrorDegrees = 1.2
    p.result.mount = SensorMount(AxisMount.standard)
    p.fit = StoredFit(
      covariance: covariance(), earthField: EarthField(horizontal: 19.25, down: -44.5),
      latencySeconds: 0.0125, inlierShare: 0.97, observationCount: 412)
    p.boardYawRadians = -0.125
    p.gyroscope = StoredGyroscope(
      biasRadiansPerSecond: SIMD3(0.01, -1e-7, 3e-5), scale: SIMD3(1, 1.002, 0.99),
      biasSlopeRadiansPerSecondKelvin: SIMD3(1e-5, 0, 0), referenceTemperatureCelsius: 25)
    p.accelerometer = StoredAccelerometer(
      biasMetresPerSecondSquared: SIMD3(0.1, 0.02, -0.3),
      matrix: Matrix3(diagonal: SIMD3(1.01, 0.99, 1)))
    p.loads = [
      StoredLoad(load: "motor", unit: "A", fieldMicroteslaPerUnit: SIMD3(0.5, -1.25, 3)),
      StoredLoad(load: "processor", unit: "share", fieldMicroteslaPerUnit: .zero),
    ]
    p.deviation = StoredDeviation(
      model: "level field", coefficients: [1, 0.01, 3.5, 0, 0.98, -7],
      covariance: (0..<36).map { $0 % 7 == 0 ? 0.04 : 0.001 }, coverageDegrees: 290,
      made: UTCTime(nanosecondsSince1970: 1_795_000_000_000_000_000))
    p.unknownKeys["colour"] = .array([.text("blue"), .null, .boolean(true), .number(-1e-300)])
    p.minorVersion = 3
    return p
  }

  /// A covariance of full rank, `A * A' + D`.
  static func covariance() -> DistortionCovariance {
    var c = DistortionCovariance()
    for i in 0..<12 {
      for j in 0..<12 { c[i, j] = (i == j ? 0.01 : 0) + 0.001 / Double(1 + i + j) }
    }
    return c
  }

  /// A text with one part replaced and a matching checksum; the part must be present.
  static func forged(_ text: String, _ old: String, _ new: String) throws -> [UInt8] {
    guard text.contains(old) else { throw CocoaError(.formatting) }
    return Array(text.replacingOccurrences(of: old, with: new).utf8)
  }
}

/// Reads a text as a calibration file.
func withFile<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value {
  let file = try TemporaryFile(Data(text.utf8), suffix: ".json")
  return try withExtendedLifetime(file) { try body(file.path) }
}

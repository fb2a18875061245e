import Quantities

/// One report of an SH-2 sensor hub, such as the BNO085, and its content.
///
/// - Source: CEVA SH-2 reference manual 1000-3625 (revision 1.7), chapters 6.3 (control reports),
///   6.4 (commands), 6.5 (input reports with their Q points) and 7.2 (time base); lengths and Q
///   points also in CEVA's `sh2.c` and `sh2_SensorValue.c`.
enum BNO08xReport {
  /// The identifiers of reports, commands and answers.
  enum Identifier {
    static var accelerometer: UInt8 { 0x01 }
    static var rotationVector: UInt8 { 0x05 }
    /// The angular rate without the hub's bias, and the bias.
    static var uncalibratedGyroscope: UInt8 { 0x07 }
    /// The field without the hub's iron, and the iron.
    static var uncalibratedField: UInt8 { 0x0F }
    static var productAnswer: UInt8 { 0xF8 }
    static var productRequest: UInt8 { 0xF9 }
    static var featureAnswer: UInt8 { 0xFC }
    static var featureCommand: UInt8 { 0xFD }
    static var featureRequest: UInt8 { 0xFE }
  }

  /// Full scales: ±2000 degrees a second, ±8 g, and of the field on x and y, and on z.
  /// - Source: BNO08X data sheet 1000-3927 (revision 1.17), figure 6-1; z is bounded by its 16
  ///   bits.
  static var rateRange: Double { 2000 * Unit.degree }
  static var forceRange: Double { 8 * Unit.gravity }
  static var fieldRange: SIMD3<Double> { SIMD3(1300, 1300, 2000) }

  /// The number of bytes of a report, its identifier included; nil for an unknown one.
  static func length(of identifier: UInt8) -> Int? {
    switch identifier {
    // Time base and rebase.
    case 0xFA, 0xFB: 5
    // Vectors.
    case 0x01...0x04, 0x06: 10
    // Quaternions, the first two with an accuracy.
    case 0x05, 0x09: 14
    case 0x08: 12
    // Vectors with bias, raw counts with time stamps.
    case 0x07, 0x0F, 0x14...0x16: 16
    case 0xF1, 0xF8: 16
    case 0xFC: 17
    default: nil
    }
  }

  /// The accuracy that the hub states: 0 unreliable, 1 low, 2 medium, 3 high.
  static func accuracy(_ report: RegisterBytes) -> UInt8 { report[2] & 0x03 }

  /// A specific force, Q point 8.
  static func force(_ report: RegisterBytes) -> Reading<SpecificForce<SensorFrame>> {
    let value = report.littleEndianAxes(at: 4) / 256
    // A step below the range: the counts of 14 bits end there.
    return Reading(value, axesAtEnd: value.axes(from: forceRange * 8190.5 / 8192))
      .map { SpecificForce(metresPerSecondSquared: $0) }
  }

  /// An angular rate, Q point 9.
  static func rate(_ report: RegisterBytes) -> Reading<AngularRate<SensorFrame>> {
    let value = report.littleEndianAxes(at: 4) / 512
    return Reading(value, axesAtEnd: value.axes(from: rateRange * 32_766.5 / 32_768))
      .map { AngularRate(radiansPerSecond: $0) }
  }

  /// A field, Q point 4.
  static func field(_ report: RegisterBytes) -> Reading<MagneticField<SensorFrame>> {
    let value = report.littleEndianAxes(at: 4) / 16
    return value.isInside(fieldRange) ? .value(MagneticField(microtesla: value)) : .saturated
  }

  /// A rotation vector: i, j, k and the real part with Q point 14, the heading's accuracy with Q
  /// point 12, radians.
  /// - Returns: nil for an attitude that the hub calls unreliable, or a quaternion that is none.
  static func attitude(_ report: RegisterBytes) -> ModuleAttitude? {
    let v = report.littleEndianAxes(at: 4) / 16_384
    let w = Double(report.littleEndian(at: 10)) / 16_384
    let square = w * w + v.x * v.x + v.y * v.y + v.z * v.z
    guard accuracy(report) > 0, abs(square - 1) < 0.01 else { return nil }
    let sigma = Double(report.littleEndian(at: 12)) / 4096
    return ModuleAttitude(
      eastNorthUp: w, v, accuracy: sigma > 0 ? Angle(radians: sigma) : nil)
  }
}

extension SIMD3<Double> {
  /// Whether each component is less than a limit in magnitude.
  fileprivate func isInside(_ limit: SIMD3<Double>) -> Bool {
    abs(x) < limit.x && abs(y) < limit.y && abs(z) < limit.z
  }
}

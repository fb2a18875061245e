extension ChipModel {
  /// The QMC5883P.
  public static let qmc5883p = ChipModel(
    "QMC5883P", .field, at: [0x2C],
    Identity(
      0x00, 0x80,
      "QMC5883P, the chip of today's boards that are sold as GY-271 or HMC5883L, or QMC6308"))
  /// The QMC6310 in its two variants, U and N.
  public static let qmc6310 = ChipModel("QMC6310", .field, at: [0x1C, 0x3C], Identity(0x00, 0x80))
  /// The QMC6309. Its usual address is one of those that I2C reserves, at which a scan does not
  /// look.
  public static let qmc6309 = ChipModel("QMC6309", .field, at: [0x7C, 0x0C], Identity(0x00, 0x90))
}

/// A range of the QMC5883P or a relative.
public struct QMCRange: Sendable {
  /// The bits RNG in control register 2.
  let bits: UInt8
  /// Counts a gauss.
  let countsPerGauss: Double
  /// The counts at which OVFL is set.
  let fullCounts: Double

  /// Full scale, microtesla.
  public var microtesla: Double { 100 * fullCounts / countsPerGauss }

  private init(_ bits: UInt8, _ countsPerGauss: Double, full fullCounts: Double) {
    (self.bits, self.countsPerGauss, self.fullCounts) = (bits, countsPerGauss, fullCounts)
  }

  /// ±2 gauss of QMC5883P and QMC6310.
  public static var gauss2: QMCRange { QMCRange(0x0C, 15_000, full: 30_000) }
  /// ±8 gauss of QMC5883P and QMC6310.
  public static var gauss8: QMCRange { QMCRange(0x08, 3750, full: 30_000) }
  /// ±12 gauss of QMC5883P and QMC6310.
  public static var gauss12: QMCRange { QMCRange(0x04, 2500, full: 30_000) }
  /// ±30 gauss of QMC5883P and QMC6310.
  public static var gauss30: QMCRange { QMCRange(0x00, 1000, full: 30_000) }

  /// ±8, ±16 and ±32 gauss of the QMC6309.
  static var qmc6309: [QMCRange] {
    [
      QMCRange(0x08, 4000, full: 32_000), QMCRange(0x04, 2000, full: 32_000),
      QMCRange(0x00, 1000, full: 32_000),
    ]
  }
}

/// The differences between QST's magnetometers with the QMC5883P's registers.
///
/// - Source: QMC6310: lewisxhe SensorLib SensorQMC6310.hpp and QMC6310Constants.h, SunFounder's
///   qmc6310.py (registers, ranges, sign register), with the QMC5883P's counts a gauss (0.1, 0.04,
///   0.026 and 0.0066 microtesla a count). QMC6309: ArduPilot AP_Compass_QMC6309.cpp and SensorLib
///   SensorQMC6309.hpp (registers, bits, 4000, 2000 and 1000 counts a gauss), SunFounder's
///   qmc6309.py (both addresses). A QMC6308 cannot be distinguished from a QMC5883P: Linux
///   qmc6308.c has the same registers, counts and identity.
public struct QMCVariant: Sendable {
  let model: ChipModel
  let identity: UInt8
  /// The ranges, rising.
  let ranges: [QMCRange]
  /// Rates by ODR, hertz.
  let rates: [Double]
  /// Whether ODR is in control register 2.
  let isRateInControl2: Bool
  /// Whether the sign register is written.
  let hasSign: Bool

  /// Whether it is to be waited for after a reset.
  var loadsMemory: Bool { isRateInControl2 }

  /// The place of ODR in its register.
  var rateShift: UInt8 { isRateInControl2 ? 4 : 2 }

  /// The least range that holds a field, microtesla, or the widest.
  func range(holding greatest: Double) -> QMCRange {
    for range in ranges where range.microtesla >= greatest { return range }
    return ranges[ranges.count - 1]
  }

  /// The QMC5883P.
  public static var qmc5883p: QMCVariant { signed(.qmc5883p) }
  /// The QMC6310.
  public static var qmc6310: QMCVariant { signed(.qmc6310) }
  /// The QMC6309.
  public static var qmc6309: QMCVariant {
    QMCVariant(
      model: .qmc6309, identity: 0x90, ranges: QMCRange.qmc6309, rates: [1, 10, 50, 100, 200],
      isRateInControl2: true, hasSign: false)
  }

  private static func signed(_ model: ChipModel) -> QMCVariant {
    QMCVariant(
      model: model, identity: 0x80, ranges: [.gauss2, .gauss8, .gauss12, .gauss30],
      rates: [10, 50, 100, 200], isRateInControl2: false, hasSign: true)
  }
}

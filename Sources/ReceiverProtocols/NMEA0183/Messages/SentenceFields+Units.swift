import Quantities

/// Factors from the units of sentences to the units used here.
enum PrintedUnit {
  /// - Source: international yard and pound agreement, 1959: exactly 0.3048 m.
  static let footMetres = 0.3048
  /// Six feet.
  static let fathomMetres = 1.8288
  /// - Source: SI brochure, 8th ed., table 8: exactly 1852 m.
  static let nauticalMileMetres = 1852.0
  /// 5280 feet.
  static let statuteMileMetres = 1609.344
  static let knotMetresPerSecond = nauticalMileMetres / 3600
  static let kilometrePerHourMetresPerSecond = 1 / 3.6
  static let statuteMilePerHourMetresPerSecond = statuteMileMetres / 3600
  /// - Source: NIST SP 811 (2008), appendix B.8: conventional inch of mercury, 3386.389 Pa.
  static let inchOfMercuryHectopascal = 33.863_89
  /// - Source: NIST SP 811 (2008), appendix B.8: conventional millimetre of mercury, 133.3224 Pa.
  static let millimetreOfMercuryHectopascal = 1.333_224
  static let barHectopascal = 1000.0
  static let zeroCelsiusKelvin = 273.15
}

/// Ranges of valid values, wide enough for every instrument.
enum PrintedRange {
  /// Along an axis, in either direction.
  static let speed = -100_000.0...100_000.0
  static let metres = 0.0...1e7
  static let celsius = -100.0...150.0
  static let percent = 0.0...100.0
  static let dilution = 0.0...10_000.0
  /// From the pressure above the highest mountains to above the highest pressure on record (1085
  /// hPa).
  static let airHectopascal = 250.0...1200.0
}

extension SentenceFields {
  /// A number and the letter of its unit after it, in either case.
  ///
  /// - Returns: nil with another letter. A missing letter is accepted: the unit follows from the
  ///   position of the field.
  mutating func number(in range: ClosedRange<Double>, unit: UInt8) -> Double? {
    let value = number(in: range)
    let printed = letter()
    return printed == nil || printed == unit ? value : nil
  }

  /// Degrees from north, and the letter T or M after them.
  mutating func direction(unit: UInt8) -> Angle? {
    let angle = direction()
    let printed = letter()
    return printed == nil || printed == unit ? angle : nil
  }

  /// A signed angle in degrees.
  mutating func angle(within limit: Double) -> Angle? {
    number(in: -limit...limit).map { Angle(degrees: $0) }
  }

  /// An angle in degrees and the letter of its side: R positive, L negative.
  mutating func sidedAngle(within limit: Double) -> Angle? {
    let angle = number(in: 0...limit).map { Angle(degrees: $0) }
    switch letter() {
    case UInt8(ascii: "R"): return angle
    case UInt8(ascii: "L"): return angle.map { -$0 }
    default: return nil
    }
  }

  /// A speed in knots and in metres per second, each with its letter; converted to metres per
  /// second.
  ///
  /// Knots are preferred: with the same number of decimals they are finer.
  mutating func knotsAndMetresPerSecond() -> Double? {
    let knots = number(in: PrintedRange.speed, unit: UInt8(ascii: "N"))
    let metresPerSecond = number(in: PrintedRange.speed, unit: UInt8(ascii: "M"))
    return knots.map { $0 * PrintedUnit.knotMetresPerSecond } ?? metresPerSecond
  }

  /// A depth in feet, metres and fathoms, each with its letter; in metres. Instruments omit some of
  /// them.
  mutating func depthMetres() -> Double? {
    let feet = number(in: PrintedRange.metres, unit: UInt8(ascii: "F"))
    let metres = number(in: PrintedRange.metres, unit: UInt8(ascii: "M"))
    let fathoms = number(in: PrintedRange.metres, unit: UInt8(ascii: "F"))
    return metres ?? feet.map { $0 * PrintedUnit.footMetres }
      ?? fathoms.map { $0 * PrintedUnit.fathomMetres }
  }

  /// A pressure in inches of mercury and in bars, each with its letter; the one of finer
  /// resolution, in hectopascals.
  ///
  /// With the usual decimals the last digit is 0.3 hPa for inches and 1 hPa for bars.
  mutating func airHectopascal() -> Double? {
    let inches = decimal()
    let inchLetter = letter()
    let bars = decimal()
    let barLetter = letter()
    let fromInches = hectopascal(
      inches, PrintedUnit.inchOfMercuryHectopascal, inchLetter, UInt8(ascii: "I"))
    let fromBars = hectopascal(bars, PrintedUnit.barHectopascal, barLetter, UInt8(ascii: "B"))
    guard let fromInches, let fromBars else { return fromInches?.value ?? fromBars?.value }
    return fromBars.step <= fromInches.step ? fromBars.value : fromInches.value
  }

  private func hectopascal(
    _ number: DecimalNumber?, _ unit: Double, _ printed: UInt8?, _ letter: UInt8
  ) -> (value: Double, step: Double)? {
    guard let number, printed == nil || printed == letter else { return nil }
    let value = number.value * unit
    guard PrintedRange.airHectopascal.contains(value) else { return nil }
    return (value, unit / Double(DecimalNumber.powerOfTen(number.decimals)))
  }
}

import Quantities

/// The least pressure that a barometer delivers, hectopascal, where its sheet's range ends far
/// above it.
///
/// Most sheets end at 300 hPa, nine kilometres, with the accuracy that they promise. The chips go
/// on: a BME280 was followed to 50 hPa on a balloon (adafruit/Adafruit_CircuitPython_BME280 issue
/// 44, where a library that stopped at 300 was found wanting), a BMP085 to about 50 hPa under a
/// pump (kandrsmith.org, "BMP085 Barometer at Low Pressure"). The compensation is a smooth curve
/// below the range too. What is delivered there has no accuracy that anyone states; a chip that
/// stops at the end of its range shows a constant value.
enum ThinAir {
  /// A balloon at 26 km.
  static var hectopascal: Double { 20 }
}

extension ChipLink {
  /// Checks a pressure against what a driver delivers, hectopascal.
  /// - Throws: `impossibleValue` outside of it: the chip has no flag for its range.
  func measurable(
    _ reading: PressureReading, within range: ClosedRange<Double>
  ) throws(ChipError) -> PressureReading {
    guard range.contains(reading.hectopascal) else {
      // Whole numbers: an embedded Swift cannot print others.
      throw error(
        .impossibleValue(
          "it reports \(Int64(bounded: reading.hectopascal.rounded())) hPa outside its "
            + "\(Int64(bounded: range.lowerBound)) to \(Int64(bounded: range.upperBound)) hPa"))
    }
    return reading
  }
}

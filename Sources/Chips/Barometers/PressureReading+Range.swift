import Quantities

extension ChipLink {
  /// Checks a pressure against the chip's range, hectopascal.
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

extension ChipLink {
  /// Lets a pressure pass that the chip can measure, hectopascal.
  /// - Throws: `impossibleValue` for any other: a chip without a flag for its range says nonsense there.
  func measurable(
    _ reading: PressureReading, within range: ClosedRange<Double>
  ) throws(ChipError) -> PressureReading {
    guard range.contains(reading.hectopascal) else {
      // Whole numbers: an embedded Swift cannot print others.
      throw error(
        .impossibleValue(
          "it reports \(Int64(reading.hectopascal.rounded())) hPa outside its "
            + "\(Int64(range.lowerBound)) to \(Int64(range.upperBound)) hPa"))
    }
    return reading
  }
}

import Quantities

/// The sentences of a position module for AgOpenGPS (its program AgIO): PANDA for one antenna and an
/// inertial unit, PAOGI for two antennas.
/// - Source: AgOpenGPS, `AgIO/Source/Forms/NMEA.Designer.cs` (fields, number types, and that an
///   empty or unreadable number counts as 0) and `GPS/Forms/UDPComm.Designer.cs` (absent values),
///   2025.
package enum AgOpenGPSReport {
  /// The answer of a module with an inertial unit to AgIO, which shows the module as connected for
  /// some seconds after each.
  /// - Source: AgOpenGPS' modules: source 121, message 121, five bytes, and the constant 71 in place
  ///   of a sum, which AgIO does not check.
  package static let hello: [UInt8] = [0x80, 0x81, 121, 121, 5, 0, 0, 0, 0, 0, 71]

  /// The values of the inertial unit are whole numbers of tenths: an absent heading is 65535, any
  /// other absent one 32767.
  static func panda(_ estimate: Estimate) -> SentenceLine? {
    guard var line = fix(estimate, "PANDA") else { return nil }
    // One reference only: AgOpenGPS uses it as a gyroscope.
    line.field(integer: (estimate.trueHeading?.angle).flatMap(tenthsOfTurn) ?? 65535)
    let level = estimate.isLevelKnown ? estimate.attitude?.attitudeAngles : nil
    line.field(integer: tenths(level?.roll.degrees))
    line.field(integer: tenths(level?.pitch.degrees))
    line.field(integer: tenths(estimate.rateOfTurn?.degreesPerSecond))
    return line
  }

  /// - Returns: nil without a heading of two antennas or a level, which AgIO would read as north and
  ///   level.
  static func paogi(_ estimate: Estimate) -> SentenceLine? {
    guard let heading = estimate.antennaHeading, estimate.isLevelKnown,
      let level = estimate.attitude?.attitudeAngles, var line = fix(estimate, "PAOGI")
    else { return nil }
    line.field(heading.degreesBelowTurn(decimals: 2), decimals: 2)
    line.field(level.roll.degrees, decimals: 2)
    line.field(level.pitch.degrees, decimals: 2)
    line.field(estimate.rateOfTurn?.degreesPerSecond, decimals: 1)
    return line
  }

  /// Time, position, quality, satellites, dilution, altitude, age of the corrections, speed in
  /// knots.
  private static func fix(_ estimate: Estimate, _ address: StaticString) -> SentenceLine? {
    guard let kind = NMEAReport.kind(of: estimate) else { return nil }
    // A vehicle is steered by this position: a coarse one is left out.
    let place = kind == .none || estimate.isPositionCoarse ? nil : estimate.position
    var line = SentenceLine(address)
    line.field(timeOf: estimate.fixUTC)
    line.position(place)
    line.field(
      integer: place == nil ? 0 : NMEAReport.quality(kind, isSimulated: estimate.isSimulated))
    line.field(integer: estimate.satellitesUsed ?? 0)
    line.field(place == nil ? nil : estimate.reportedDilution, decimals: 2)
    line.field(place == nil ? nil : estimate.altitudeMetres, decimals: 3)
    line.field(estimate.correctionAgeSeconds, decimals: 1)
    line.field(
      place == nil
        ? nil : estimate.speedMetresPerSecond.map { $0 * NMEAReport.knotsPerMetrePerSecond },
      decimals: 3)
    return line
  }

  private static func tenthsOfTurn(_ heading: Angle) -> Int? {
    let degrees = heading.degreesBelowTurn(decimals: 1)
    return degrees.isFinite ? Int(bounded: (degrees * 10).rounded()) : nil
  }

  private static func tenths(_ value: Double?) -> Int {
    guard let value, value.isFinite, abs(value) < 3276 else { return 32767 }
    return Int(bounded: (value * 10).rounded())
  }
}

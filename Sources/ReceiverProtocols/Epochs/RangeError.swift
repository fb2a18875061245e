import Quantities

/// Converts a dilution of precision to metres with a typical one-sigma error of one range
/// measurement.
///
/// - Accuracy: an order of magnitude; a receiver that states its own error (GST) overrides it. The
///   radius of horizontal dilution times sigma holds 63 to 68 % of positions.
enum RangeError {
  /// Satellites alone: the broadcast ionosphere model dominates.
  /// - Source: Kaplan and Hegarty, Understanding GPS, 2nd ed. 2006, table 7.4: 7.1 m.
  private static let autonomousMetres = 7.1
  /// Corrected by SBAS or a reference station.
  /// - Source: WAAS Performance Analysis reports (FAA): horizontal 95 % near 1.6 m at a horizontal
  ///   dilution near 1, so about 0.8 m; taken as 1.4 m for shipborne and handheld antennas.
  private static let differentialMetres = 1.4
  /// Carrier phase with float ambiguities: decimetres.
  private static let rtkFloatMetres = 0.4
  /// Carrier phase with fixed ambiguities.
  /// - Source: u-blox ZED-F9P data sheet UBX-17051259, position accuracy RTK 0.01 m + 1 ppm.
  private static let rtkFixedMetres = 0.02
  /// A receiver that does not know the dilution reports this or more (u-blox 99.99, others 99.9).
  private static let unknownDilution = 99.0

  /// One sigma, metres; nil without a fix and for a fix that does not come from satellites.
  static func metres(dilution: Double?, kind: FixKind) -> Double? {
    guard let dilution, dilution > 0, dilution < unknownDilution else { return nil }
    return switch kind {
    case .none, .deadReckoning, .network, .simulated: nil
    case .twoDimensional, .threeDimensional: dilution * autonomousMetres
    case .differential: dilution * differentialMetres
    case .rtkFloat: dilution * rtkFloatMetres
    case .rtkFixed: dilution * rtkFixedMetres
    }
  }
}

extension Fix {
  /// Sets the horizontal accuracy that the receiver states, metres; where it states none, that of
  /// the dilution, by the present kind of fix.
  mutating func setHorizontalAccuracy(stated: Double?) {
    horizontalAccuracyMetres =
      stated ?? RangeError.metres(dilution: horizontalDilution, kind: kind)
    isAccuracyStated = stated != nil
  }
}

/// The earth's ellipsoid.
/// - Source: NIMA TR8350.2, third edition, tables 3.1 and 3.3.
public enum WGS84 {
  /// Equatorial radius, metres.
  @inlinable public static var equatorialRadius: Double { 6_378_137 }
  /// Flattening.
  @inlinable public static var flattening: Double { 1 / 298.257_223_563 }
  /// Polar radius, metres.
  @inlinable public static var polarRadius: Double { equatorialRadius * (1 - flattening) }
  /// First eccentricity squared.
  @inlinable public static var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// First eccentricity squared as printed in table 3.3, to twelve digits.
  @inlinable public static var printedEccentricitySquared: Double { 6.694_379_990_14e-3 }
  /// Second eccentricity squared.
  @inlinable public static var secondEccentricitySquared: Double {
    let f = flattening
    return f * (2 - f) / ((1 - f) * (1 - f))
  }
}

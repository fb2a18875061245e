/// The WGS-84 ellipsoid.
/// - Source: NIMA TR8350.2, table 3.1.
enum Ellipsoid {
  /// Equatorial radius, metres.
  static var equatorialRadius: Double { 6_378_137 }
  /// Flattening.
  static var flattening: Double { 1 / 298.257_223_563 }
  /// Polar radius, metres.
  static var polarRadius: Double { equatorialRadius * (1 - flattening) }
  /// First eccentricity squared.
  static var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// Second eccentricity squared.
  static var secondEccentricitySquared: Double {
    let f = flattening
    return f * (2 - f) / ((1 - f) * (1 - f))
  }
}

import Quantities

/// Gravity of the WGS-84 ellipsoid, along the vertical.
package enum NormalGravity {
  /// Normal gravity in metres per second squared at a latitude and a height above the ellipsoid.
  /// - Accuracy: differs from measured gravity by its anomaly, commonly below 0.001 m/s²; real
  ///   gravity also leans from the vertical by some arc seconds, which is left out.
  /// - Source: NIMA TR8350.2, third edition, equations 4-1 (Somigliana) and 4-3, tables 3.3 and
  ///   3.4.
  package static func metresPerSecondSquared(
    sinLatitude s: Double, heightMetres h: Double
  ) -> Double {
    let equatorial = 9.780_325_335_9
    let k = 0.001_931_852_652_41
    let flattening = WGS84.flattening
    // The ratio of centrifugal to gravitational force at the equator.
    let m = 0.003_449_786_506_84
    let squared = s * s
    let onEllipsoid =
      equatorial * (1 + k * squared)
      / (1 - WGS84.printedEccentricitySquared * squared).squareRoot()
    let x = h / WGS84.equatorialRadius
    return onEllipsoid * (1 - 2 * x * (1 + flattening + m - 2 * flattening * squared) + 3 * x * x)
  }
}

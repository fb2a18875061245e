import Quantities
import RealModule

extension WGS84 {
  /// Metres per radian of latitude (north) and of longitude (east).
  private static func metresForRadian(at latitude: Double) -> (north: Double, east: Double) {
    let (sine, cosine) = (Double.sin(latitude), Double.cos(latitude))
    let w = 1 - printedEccentricitySquared * sine * sine
    let transverse = equatorialRadius / w.squareRoot()
    return (transverse * (1 - printedEccentricitySquared) / w, transverse * cosine)
  }

  /// Distance between two positions, metres; for distances over which the ellipsoid is nearly flat.
  static func metres(from a: GeodeticPosition, to b: GeodeticPosition) -> Double {
    let scale = metresForRadian(at: (a.latitude.radians + b.latitude.radians) / 2)
    let north = (b.latitude - a.latitude).radians * scale.north
    let east = (b.longitude - a.longitude).wrappedToHalfTurn.radians * scale.east
    return (north * north + east * east).squareRoot()
  }
}

extension EarthCentredPosition {
  /// Makes the place at a height above the ellipsoid.
  /// - Source: NIMA TR8350.2, section 4.2.
  init(_ position: GeodeticPosition, heightMetres: Double) {
    let e2 = WGS84.printedEccentricitySquared
    let (latitude, longitude) = (position.latitude.radians, position.longitude.radians)
    let (sine, cosine) = (Double.sin(latitude), Double.cos(latitude))
    let transverse = WGS84.equatorialRadius / (1 - e2 * sine * sine).squareRoot()
    let p = (transverse + heightMetres) * cosine
    self.init(
      xMetres: p * Double.cos(longitude), yMetres: p * Double.sin(longitude),
      zMetres: (transverse * (1 - e2) + heightMetres) * sine)
  }

  /// The position and its height above the ellipsoid; nil near the earth's centre, which a receiver
  /// without a position reports.
  /// - Accuracy: below 1e-11 rad and 0.1 mm up to 1000 km of height (Bowring's formula, two
  ///   rounds).
  /// - Source: B. R. Bowring, "The accuracy of geodetic latitude and height equations", Survey
  ///   Review 28 (1985).
  var geodetic: (position: GeodeticPosition, heightMetres: Double)? {
    let (a, e2) = (WGS84.equatorialRadius, WGS84.printedEccentricitySquared)
    let flattening = 1 - (1 - e2).squareRoot()
    let b = a * (1 - flattening)
    let second = e2 / (1 - e2)
    let p = (xMetres * xMetres + yMetres * yMetres).squareRoot()
    // No receiver is within a tenth of the radius of the centre.
    guard p + abs(zMetres) > a / 10 else { return nil }
    var reduced = Double.atan2(y: zMetres * a, x: p * b)
    var latitude = 0.0
    for _ in 0..<2 {
      let (s, c) = (Double.sin(reduced), Double.cos(reduced))
      latitude = Double.atan2(y: zMetres + second * b * s * s * s, x: p - e2 * a * c * c * c)
      reduced = Double.atan2(y: (1 - flattening) * Double.sin(latitude), x: Double.cos(latitude))
    }
    let (s, c) = (Double.sin(latitude), Double.cos(latitude))
    let height = p * c + zMetres * s - a * (1 - e2 * s * s).squareRoot()
    let longitude = Double.atan2(y: yMetres, x: xMetres)
    return (
      GeodeticPosition(latitude: Angle(radians: latitude), longitude: Angle(radians: longitude)),
      height
    )
  }
}

extension EarthCentredVelocity {
  /// The same velocity along north, east and down at a position.
  func atPlace(_ position: GeodeticPosition) -> Velocity<EarthFrame> {
    let (sLat, cLat) = (
      Double.sin(position.latitude.radians), Double.cos(position.latitude.radians)
    )
    let (sLon, cLon) = (
      Double.sin(position.longitude.radians), Double.cos(position.longitude.radians)
    )
    let (x, y, z) = (xMetresPerSecond, yMetresPerSecond, zMetresPerSecond)
    let outward = cLon * x + sLon * y
    return Velocity(
      metresPerSecond: SIMD3(
        cLat * z - sLat * outward, cLon * y - sLon * x, -(cLat * outward + sLat * z)))
  }
}

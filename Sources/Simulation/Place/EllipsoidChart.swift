import Quantities
import RealModule

/// Metres north and east of a scenario's origin, laid out on the ellipsoid: latitude and longitude
/// are linear in them, so that position stays an analytic function of time and velocity its
/// derivative.
///
/// At the origin a chart metre is a metre; 10 km north of latitude 54 an eastward one is 0.2 %
/// shorter, which the velocity includes. Not for the poles (see `Scenario`'s bounds).
/// - Source: NIMA TR8350.2, third edition, tables 3.1 and 3.3 (WGS 84); radii of curvature as in
///   P. D. Groves, Principles of GNSS, Inertial, and Multisensor Integrated Navigation Systems,
///   2nd edition, equations 2.105 and 2.106.
package struct EllipsoidChart: Sendable {
  /// WGS 84's rate of rotation, radians per second.
  package static var rotationRate: Double { 7.292_115e-5 }

  let origin: GeodeticPosition
  let originHeight: Double
  private let metresPerRadianNorth: Double
  private let metresPerRadianEast: Double

  package init(origin: GeodeticPosition, ellipsoidalHeightMetres: Double) {
    self.origin = origin
    originHeight = ellipsoidalHeightMetres
    let radii = Self.radii(sinLatitude: Double.sin(origin.latitude.radians))
    metresPerRadianNorth = radii.meridian + ellipsoidalHeightMetres
    metresPerRadianEast =
      (radii.prime + ellipsoidalHeightMetres) * Double.cos(origin.latitude.radians)
  }

  /// The radii of curvature along the meridian and across it, with their derivatives by latitude
  /// divided by the cosine of latitude.
  static func radii(
    sinLatitude s: Double
  ) -> (meridian: Double, prime: Double, meridianSlope: Double, primeSlope: Double) {
    let e2 = WGS84.printedEccentricitySquared
    let q = 1 - e2 * s * s
    let root = q.squareRoot()
    let prime = WGS84.equatorialRadius / root
    let meridian = prime * (1 - e2) / q
    return (meridian, prime, 3 * meridian * e2 * s / q, prime * e2 * s / q)
  }

  /// Position and velocity on the earth for chart coordinates.
  struct Location: Sendable {
    var position: GeodeticPosition
    var height: Double
    /// North, east, down, metres per second.
    var velocity: SIMD3<Double>
    /// The derivative of `velocity`'s components, metres per second squared.
    var acceleration: SIMD3<Double>
    /// The turning of the local north-east-down axes that comes from moving over the ellipsoid.
    var transportRate: SIMD3<Double>
    /// Metres on the ground for a chart metre: north and east; and their change per second.
    var scale: SIMD2<Double>
    var scaleRate: SIMD2<Double>
    var sinLatitude: Double
    var cosLatitude: Double
  }

  func location(north: Jet, east: Jet, up: Jet) -> Location {
    let latitude = origin.latitude.radians + north.value / metresPerRadianNorth
    let longitude = origin.longitude.radians + east.value / metresPerRadianEast
    let (s, c) = (Double.sin(latitude), Double.cos(latitude))
    let radii = Self.radii(sinLatitude: s)
    let height = originHeight + up.value
    let latitudeRate = north.rate / metresPerRadianNorth
    let longitudeRate = east.rate / metresPerRadianEast
    let scale = SIMD2(
      (radii.meridian + height) / metresPerRadianNorth,
      (radii.prime + height) * c / metresPerRadianEast)
    let meridianRate = radii.meridianSlope * c * latitudeRate + up.rate
    let primeRate = radii.primeSlope * c * latitudeRate + up.rate
    let scaleRate = SIMD2(
      meridianRate / metresPerRadianNorth,
      (primeRate * c - (radii.prime + height) * s * latitudeRate) / metresPerRadianEast)
    return Location(
      position: GeodeticPosition(
        latitude: Angle(radians: latitude),
        longitude: Angle(radians: longitude).wrappedToHalfTurn),
      height: height,
      velocity: SIMD3(north.rate * scale.x, east.rate * scale.y, -up.rate),
      acceleration: SIMD3(
        north.acceleration * scale.x + north.rate * scaleRate.x,
        east.acceleration * scale.y + east.rate * scaleRate.y,
        -up.acceleration),
      transportRate: SIMD3(longitudeRate * c, -latitudeRate, -longitudeRate * s),
      scale: scale, scaleRate: scaleRate, sinLatitude: s, cosLatitude: c)
  }
}

import Quantities
import RealModule

/// A place in earth-centred coordinates, metres; monitoring computes its distances from these.
///
/// A chord needs no special case at the date line or at a pole, and costs one square root.
/// - Frame: x to latitude 0, longitude 0; z to the north pole.
/// - Source: NIMA TR8350.2: the WGS-84 ellipsoid, and eq. 4-14 for the coordinates.
struct EarthPoint: Codable, Equatable, Sendable {
  var vector: SIMD3<Double>

  static let meanRadius = 6_371_008.8

  init(vector: SIMD3<Double>) { self.vector = vector }

  /// The point of the ellipsoid at a place.
  init(_ place: GeodeticPosition) {
    let (sine, cosine) = (Double.sin(place.latitude.radians), Double.cos(place.latitude.radians))
    let normal = WGS84.equatorialRadius / (1 - WGS84.eccentricitySquared * sine * sine).squareRoot()
    let x: Double = normal * cosine * .cos(place.longitude.radians)
    let y: Double = normal * cosine * .sin(place.longitude.radians)
    vector = SIMD3(x, y, normal * (1 - WGS84.eccentricitySquared) * sine)
  }

  /// The geodetic position of a point near the surface.
  /// - Accuracy: 1 mm within 10 km of the surface.
  /// - Source: B. R. Bowring, Transformation from spatial to geographical coordinates, Survey
  ///   Review 23 (1976).
  var place: GeodeticPosition {
    let polar = WGS84.polarRadius
    let across = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    let reduced = Double.atan2(y: vector.z * WGS84.equatorialRadius, x: across * polar)
    let second = WGS84.eccentricitySquared / (1 - WGS84.eccentricitySquared)
    let (s, c) = (Double.sin(reduced), Double.cos(reduced))
    let rise: Double = vector.z + second * polar * s * s * s
    let run: Double = across - WGS84.eccentricitySquared * WGS84.equatorialRadius * c * c * c
    return GeodeticPosition(
      latitude: Angle(radians: .atan2(y: rise, x: run)),
      longitude: Angle(radians: .atan2(y: vector.y, x: vector.x)))
  }

  /// The length of the straight line, metres.
  func chord(to other: EarthPoint) -> Double { (vector - other.vector).length }

  /// The distance along the surface, metres.
  /// - Accuracy: 1 mm up to 20 km, 1 cm up to 50 km, 0.5 % at any distance.
  func distance(to other: EarthPoint) -> Double {
    let half = min(1, chord(to: other) / (2 * Self.meanRadius))
    return 2 * Self.meanRadius * .asin(half)
  }

  /// The unit vector from the earth's centre to the point.
  var direction: SIMD3<Double> { vector / vector.length }
}

extension SIMD3 where Scalar == Double {
  var length: Double { (self * self).sum().squareRoot() }

  func cross(_ b: SIMD3<Double>) -> SIMD3<Double> {
    let x: Double = self.y * b.z - self.z * b.y
    let y: Double = self.z * b.x - self.x * b.z
    let z: Double = self.x * b.y - self.y * b.x
    return SIMD3(x, y, z)
  }
}

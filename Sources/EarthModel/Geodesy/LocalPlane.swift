import Quantities
import RealModule

/// Metres north and east of a place, in the plane that touches the ellipsoid there.
///
/// It works at the poles and across the date line, because it goes by earth-fixed axes. Points must
/// stay near: a kilometre away the plane is 8 cm above the ellipsoid, and its metres are true to a
/// part in ten million.
/// - Source: NIMA TR8350.2, third edition, tables 3.1 and 3.3 (WGS 84); the closed form for the way
///   back is B. R. Bowring, Survey Review 23 (181), 1976.
public struct LocalPlane: Equatable, Sendable {
  /// The place that the plane touches.
  public let origin: GeodeticPosition
  /// The height above the ellipsoid at which its metres count.
  public let heightMetres: Double
  private let centre: SIMD3<Double>
  private let north: SIMD3<Double>
  private let east: SIMD3<Double>

  /// Makes a plane.
  /// - Parameters:
  ///   - origin: The place that it touches.
  ///   - heightMetres: The height above the ellipsoid at which its metres count.
  public init(origin: GeodeticPosition, heightMetres: Double = 0) {
    self.origin = origin
    self.heightMetres = heightMetres
    centre = Self.earthFixed(origin, heightMetres)
    let (a, b) = (origin.latitude.radians, origin.longitude.radians)
    let (sinA, cosA) = (Double.sin(a), Double.cos(a))
    let (sinB, cosB) = (Double.sin(b), Double.cos(b))
    north = SIMD3(-sinA * cosB, -sinA * sinB, cosA)
    east = SIMD3(-sinB, cosB, 0)
  }

  /// Metres north and east of the origin.
  public func metres(to place: GeodeticPosition) -> SIMD2<Double> {
    let away = Self.earthFixed(place, heightMetres) - centre
    return SIMD2(away.dot(north), away.dot(east))
  }

  /// The place at metres north and east of the origin.
  public func place(at metres: SIMD2<Double>) -> GeodeticPosition {
    let x = centre + north * metres.x + east * metres.y
    let p = (x.x * x.x + x.y * x.y).squareRoot()
    // Bowring's parametric latitude; exact to far below a millimetre at any height of an aeroplane.
    let ratio = WGS84.polarRadius / WGS84.equatorialRadius
    let beta = Double.atan2(y: x.z, x: p * ratio)
    let (s, c) = (Double.sin(beta), Double.cos(beta))
    let latitude = Double.atan2(
      y: x.z + WGS84.secondEccentricitySquared * WGS84.polarRadius * s * s * s,
      x: p - WGS84.eccentricitySquared * WGS84.equatorialRadius * c * c * c)
    return GeodeticPosition(
      latitude: Angle(radians: latitude),
      longitude: Angle(radians: p > 0 ? Double.atan2(y: x.y, x: x.x) : 0))
  }

  /// The angle by which another plane's north is turned clockwise from this one's: components along
  /// this plane's axes turn by its negative. Near a pole it has any size.
  public func turn(to other: LocalPlane) -> Angle {
    Angle(radians: Double.atan2(y: other.north.dot(east), x: other.north.dot(north)))
  }

  private static func earthFixed(_ place: GeodeticPosition, _ height: Double) -> SIMD3<Double> {
    let (a, b) = (place.latitude.radians, place.longitude.radians)
    let (s, c) = (Double.sin(a), Double.cos(a))
    let e2 = WGS84.eccentricitySquared
    let prime = WGS84.equatorialRadius / (1 - e2 * s * s).squareRoot()
    let across = (prime + height) * c
    return SIMD3(
      across * Double.cos(b), across * Double.sin(b), (prime * (1 - e2) + height) * s)
  }
}

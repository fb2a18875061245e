import Quantities
import RealModule

/// The shortest way between two places.
public struct Geodesic: Equatable, Sendable {
  /// The length of the way.
  public var distanceMetres: Double

  /// The way from one place to another, on a sphere of the earth's mean radius.
  public static func inverse(from a: GeodeticPosition, to b: GeodeticPosition) -> Geodesic {
    let north = Double.sin((b.latitude.radians - a.latitude.radians) / 2)
    let east = Double.sin((b.longitude.radians - a.longitude.radians) / 2)
    let h =
      north * north
      + Double.cos(a.latitude.radians) * Double.cos(b.latitude.radians) * east * east
    return Geodesic(distanceMetres: 2 * 6_371_008.8 * Double.asin(min(1, h.squareRoot())))
  }
}

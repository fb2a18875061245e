import Quantities
import RealModule

public enum Geodesic {
  public struct End { public var position: GeodeticPosition }
  public static func direct(
    from: GeodeticPosition, bearing: Angle, distanceMetres: Double
  ) -> End {
    let d = distanceMetres / 6_371_008.8
    let p = from.latitude.radians
    let s = Double.sin(p) * .cos(d) + .cos(p) * .sin(d) * .cos(bearing.radians)
    let l = Double.atan2(
      y: .sin(bearing.radians) * .sin(d) * .cos(p), x: .cos(d) - .sin(p) * s)
    return End(
      position: GeodeticPosition(
        latitude: Angle(radians: .asin(s)), longitude: from.longitude + Angle(radians: l)))
  }
}


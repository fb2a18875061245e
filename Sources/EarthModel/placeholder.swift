import Quantities
import RealModule

public enum MagneticModelError: Error, Equatable, Sendable {
  case dateOutside(decimalYear: Double)
}

public struct MagneticElements: Equatable, Sendable {
  public var northNanotesla: Double
  public var eastNanotesla: Double
  public var downNanotesla: Double
  public var declination: Angle { Angle(radians: .atan2(y: eastNanotesla, x: northNanotesla)) }
}

public struct MagneticModel: Sendable {
  public static let wmm2025 = MagneticModel()

  public func elements(
    at place: GeodeticPosition, ellipsoidalHeightMetres: Double, decimalYear: Double
  ) throws(MagneticModelError) -> MagneticElements {
    guard decimalYear >= 2024.8, decimalYear <= 2030 else {
      throw .dateOutside(decimalYear: decimalYear)
    }
    let (g, h1, h2) = (-29350.0, -1410.3, 4545.4)
    let (p, l) = (place.latitude.radians, place.longitude.radians)
    let r = Double.pow(6_371_200 / (6_371_200 + ellipsoidalHeightMetres), 3)
    let h = h1 * .cos(l) + h2 * .sin(l)
    return MagneticElements(
      northNanotesla: r * (-g * .cos(p) + h * .sin(p)),
      eastNanotesla: r * (h1 * .sin(l) - h2 * .cos(l)),
      downNanotesla: -2 * r * (g * .sin(p) + h * .cos(p)))
  }
}

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

public enum StandardAtmosphere {
  public static func pressureHectopascal(
    altitudeMetres: Double, qnhHectopascal: Double
  ) -> Double {
    qnhHectopascal * .pow(1 - altitudeMetres * 0.0065 / 288.15, 5.255_88)
  }
}

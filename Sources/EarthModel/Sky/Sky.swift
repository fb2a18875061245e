import Quantities
import RealModule

/// A direction above the horizon.
public struct HorizontalDirection: Equatable, Sendable {
  /// Clockwise from true north.
  public var azimuth: Angle
  /// Above the horizon positive.
  public var altitude: Angle

  /// Makes a direction.
  public init(azimuth: Angle, altitude: Angle) {
    (self.azimuth, self.altitude) = (azimuth, altitude)
  }
}

/// A direction among the stars, by the equinox of J2000 or of a date.
public struct EquatorialDirection: Equatable, Sendable {
  /// From 0 to one turn.
  public var rightAscension: Angle
  /// North positive.
  public var declination: Angle

  /// Makes a direction.
  public init(rightAscension: Angle, declination: Angle) {
    (self.rightAscension, self.declination) = (rightAscension, declination)
  }
}

/// The sky above a place at a time.
///
/// - Accuracy: 0.02° in the years 1950 to 2100. Nutation, aberration, polar motion and the
///   difference of UT1 and UTC, together up to 0.016°, are left out.
/// - Source: J. Meeus, "Astronomical Algorithms", 2nd edition, chapters 12, 13 and 21; J. Lieske
///   and others, Astronomy and Astrophysics 58, 1 (1977).
public struct Sky: Sendable {
  /// The mean sidereal time of the place: the right ascension in the south.
  public let siderealTime: Angle
  private let latitude: Angle
  /// Precession from J2000 to the date.
  private let zeta, z, theta: Angle

  /// Makes the sky.
  public init(at place: GeodeticPosition, _ utc: UTCTime) {
    // Days since 2000-01-01 12:00.
    let days = utc.seconds(since: UTCTime(nanosecondsSince1970: 946_728_000_000_000_000)) / 86_400
    let t = days / 36_525
    // Equation 12.4.
    let greenwich =
      280.460_618_37 + 360.985_647_366_29 * days + t * t * (0.000_387_933 - t / 38_710_000)
    siderealTime = (Angle(degrees: greenwich) + place.longitude).wrappedToTurn
    latitude = place.latitude
    // Equation 21.3, arcseconds.
    zeta = Angle(degrees: t * (2306.2181 + t * (0.301_88 + t * 0.017_998)) / 3600)
    z = Angle(degrees: t * (2306.2181 + t * (1.094_68 + t * 0.018_203)) / 3600)
    theta = Angle(degrees: t * (2004.3109 - t * (0.426_65 + t * 0.041_833)) / 3600)
  }

  /// The direction by the equinox of the date.
  public func equatorial(_ direction: HorizontalDirection) -> EquatorialDirection {
    // Hour angle and declination have the azimuth's form with the pole in the zenith's place.
    let (declination, hourAngle) = turned(direction.altitude, direction.azimuth + .halfTurn)
    return EquatorialDirection(
      rightAscension: (siderealTime - hourAngle).wrappedToTurn, declination: declination)
  }

  /// Where a direction by the equinox of the date is above the horizon.
  public func horizontal(_ direction: EquatorialDirection) -> HorizontalDirection {
    let hourAngle = siderealTime - direction.rightAscension
    let (altitude, azimuth) = turned(direction.declination, hourAngle + .halfTurn)
    return HorizontalDirection(azimuth: azimuth.wrappedToTurn, altitude: altitude)
  }

  /// Equations 13.5 and 13.6: exchanges the pole and the zenith, for angles that count from the
  /// meridian's north.
  private func turned(_ height: Angle, _ around: Angle) -> (height: Angle, around: Angle) {
    let (sine, cosine) = (Double.sin(latitude.radians), Double.cos(latitude.radians))
    let level = Double.cos(height.radians)
    let (north, east) = (
      level * Double.cos(around.radians), level * Double.sin(around.radians)
    )
    let up = Double.sin(height.radians)
    let poleward = up * cosine + north * sine
    return Angle.polar(x: poleward, y: east, z: up * sine - north * cosine)
  }

  /// The direction by the equinox of J2000, which star charts have.
  public func j2000(ofDate direction: EquatorialDirection) -> EquatorialDirection {
    precessed(direction, from: -z, by: -theta, to: -zeta)
  }

  /// The direction by the equinox of the date.
  public func ofDate(j2000 direction: EquatorialDirection) -> EquatorialDirection {
    precessed(direction, from: zeta, by: theta, to: z)
  }

  /// Equation 21.4.
  private func precessed(
    _ direction: EquatorialDirection, from: Angle, by tilt: Angle, to: Angle
  ) -> EquatorialDirection {
    let around = direction.rightAscension + from
    let (sine, cosine) = (Double.sin(tilt.radians), Double.cos(tilt.radians))
    let level = Double.cos(direction.declination.radians)
    let up = Double.sin(direction.declination.radians)
    let x = level * Double.cos(around.radians)
    let (height, turned) = Angle.polar(
      x: cosine * x - sine * up, y: level * Double.sin(around.radians), z: sine * x + cosine * up)
    return EquatorialDirection(
      rightAscension: (turned + to).wrappedToTurn, declination: height)
  }
}

/// How far the air lifts a star, at 1010 hPa and 10 °C.
///
/// - Accuracy: 0.15 arcminutes above 15° in this air. Below -1° it is that of -1°.
/// - Source: J. Meeus, "Astronomical Algorithms", 2nd edition, equations 16.3 (G. Bennett 1982) and
///   16.4 (Þ. Sæmundsson 1986).
public enum Refraction {
  private static var lowest: Double { -1 }

  /// The refraction of a star that is seen at an altitude.
  public static func ofApparent(_ altitude: Angle) -> Angle {
    let h = max(altitude.degrees, lowest)
    return Angle(degrees: 1 / 60 / Double.tan(Angle(degrees: h + 7.31 / (h + 4.4)).radians))
  }

  /// The refraction of a star that would be seen at an altitude without air.
  public static func ofTrue(_ altitude: Angle) -> Angle {
    let h = max(altitude.degrees, lowest)
    return Angle(degrees: 1.02 / 60 / Double.tan(Angle(degrees: h + 10.3 / (h + 5.11)).radians))
  }
}

extension Angle {
  fileprivate static var halfTurn: Angle { Angle(radians: .pi) }

  /// The height of a vector above the plane of x and y, and its angle in it from x to y.
  fileprivate static func polar(
    x: Double, y: Double, z: Double
  ) -> (height: Angle, around: Angle) {
    (
      Angle(radians: Double.atan2(y: z, x: (x * x + y * y).squareRoot())),
      Angle(radians: Double.atan2(y: y, x: x))
    )
  }
}

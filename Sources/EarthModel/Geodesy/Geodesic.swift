import Quantities
import RealModule

/// The geodesic (shortest line) between two places on the WGS-84 ellipsoid.
///
/// - Accuracy: 1 mm anywhere, antipodes included; compared with GeographicLib, tens of nanometres.
/// - Source: C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), doi
///   10.1007/s00190-012-0578-z: the auxiliary sphere (section 2), canonical configuration and the
///   equation for the azimuth (section 4). Its integrals are computed by quadrature instead of
///   series: on this ellipsoid sixteen points are exact to the last bit.
public struct Geodesic: Equatable, Sendable {
  /// The length, metres.
  public let distanceMetres: Double
  /// The direction at the first place, clockwise from true north, 0 to 2 pi.
  public let initialBearing: Angle
  /// The direction at the second place.
  public let finalBearing: Angle

  /// The end of a geodesic.
  public struct End: Equatable, Sendable {
    /// The place.
    public let position: GeodeticPosition
    /// The direction at that place.
    public let bearing: Angle
  }

  /// The geodesic from one place to another. Latitudes beyond a pole are limited to the pole.
  ///
  /// Between antipodes and between poles there are many; one of them is returned. A coordinate that
  /// is no number gives a geodesic without numbers.
  public static func inverse(from: GeodeticPosition, to: GeodeticPosition) -> Geodesic {
    var difference = (to.longitude - from.longitude).wrappedToHalfTurn.radians
    var (first, second) = (clamped(from.latitude), clamped(to.latitude))
    guard first.isFinite, second.isFinite, difference.isFinite else {
      let none = Angle(radians: .nan)
      return Geodesic(distanceMetres: .nan, initialBearing: none, finalBearing: none)
    }
    let isOnePlace = first == second && difference == 0
    // Canonical: the first place is the farther from the equator and south of it, the second east.
    let isSwapped = abs(first) < abs(second)
    if isSwapped {
      swap(&first, &second)
      difference = -difference
    }
    let east: Double = difference < 0 ? -1 : 1
    let south: Double = first < 0 ? 1 : -1
    let way = CanonicalGeodesic(
      beta1: ReducedLatitude(first * south), beta2: ReducedLatitude(second * south),
      longitude: abs(difference)
    ).solved()
    var (one, two) = (way.azimuth1, way.azimuth2)
    if isSwapped { swap(&one, &two) }
    let reverse: Double = isSwapped ? -1 : 1
    func bearing(_ azimuth: Azimuth) -> Angle {
      Angle(
        radians: .atan2(y: azimuth.sine * reverse * east, x: azimuth.cosine * reverse * south)
      ).wrappedToTurn
    }
    return Geodesic(
      distanceMetres: isOnePlace ? 0 : way.distance, initialBearing: bearing(one),
      finalBearing: bearing(two))
  }

  /// The end of a geodesic from a place.
  /// - Parameters:
  ///   - from: The start.
  ///   - bearing: The direction at the start, clockwise from true north.
  ///   - distanceMetres: The length; negative is backward.
  /// - Returns: The end and the direction there.
  public static func direct(
    from: GeodeticPosition, bearing: Angle, distanceMetres: Double
  ) -> End {
    let beta = ReducedLatitude(clamped(from.latitude))
    let azimuth = Azimuth(sine: .sin(bearing.radians), cosine: .cos(bearing.radians))
    let great = GreatCircle(beta, azimuth)
    let sigma1 = great.sigma(beta, azimuth)
    // Distance is almost proportional to the arc: three Newton steps converge.
    var arc = distanceMetres / WGS84.polarRadius
    for _ in 0..<6 {
      let excess =
        WGS84.polarRadius * great.lengthIntegral(from: sigma1, to: sigma1 + arc)
        - distanceMetres
      arc -= excess / (WGS84.polarRadius * great.stretch(sigma1 + arc))
    }
    let sigma2 = sigma1 + arc
    let (sine, cosine) = (Double.sin(sigma2), Double.cos(sigma2))
    let (s0, c0) = (great.sineOfNode, great.cosineOfNode)
    let omega = Double.atan2(y: s0 * sine, x: cosine) - great.omega(beta, azimuth)
    let longitude =
      omega - WGS84.flattening * s0 * great.longitudeIntegral(from: sigma1, to: sigma2)
    let beta2 = Double.atan2(
      y: c0 * sine, x: (c0 * c0 * cosine * cosine + s0 * s0).squareRoot())
    let latitude = Double.atan2(
      y: .sin(beta2), x: (1 - WGS84.flattening) * .cos(beta2))
    return End(
      position: GeodeticPosition(
        latitude: Angle(radians: latitude),
        longitude: (from.longitude + Angle(radians: longitude)).wrappedToHalfTurn),
      bearing: Angle(radians: .atan2(y: s0, x: c0 * cosine)).wrappedToTurn)
  }

  private static func clamped(_ latitude: Angle) -> Double {
    // A comparison with NaN would give a pole.
    latitude.radians.isNaN ? .nan : min(max(latitude.radians, -.pi / 2), .pi / 2)
  }
}

import EarthModel
import Quantities

extension Gazetteer {
  /// Radius of the first search, metres; it doubles in each further one.
  private static let firstLook = 20_000.0
  /// Slightly more than half of the earth's circumference.
  private static let everywhere = 20_050_000.0
  /// Twice the maximum difference between distances on the ellipsoid and the sphere: the nearest
  /// place on the one is within this of the nearest on the other.
  private static let sphereMargin = 1.0125

  /// Finds the nearest place on the ellipsoid.
  /// - Parameters:
  ///   - position: The start.
  ///   - limit: The maximum distance, metres.
  /// - Returns: The place and its distance in metres; nil if none is within the limit.
  /// - Throws: `GazetteerError` if the file is damaged.
  public func nearestPlace(
    to position: GeodeticPosition, within limit: Double = .infinity
  ) throws(GazetteerError) -> (place: Place, distanceMetres: Double)? {
    guard let found = try nearestSite(to: position, within: limit) else { return nil }
    return (try place(found.site.number), found.metres)
  }

  func nearestSite(
    to position: GeodeticPosition, within limit: Double
  ) throws(GazetteerError) -> (site: Site, metres: Double)? {
    let here = SphericalDirection(position)
    var look = Self.firstLook
    while true {
      let last = look >= min(limit * Self.sphereMargin, Self.everywhere)
      let sites = try sites(around: position, within: look).map { site in
        (site: site, metres: here.metres(to: SphericalDirection(site.position)))
      }
      let best = sites.map(\.metres).min()
      // A nearer place may be outside the searched circle.
      if let best, last || best * Self.sphereMargin <= look {
        let nearest =
          sites
          .filter { $0.metres <= best * Self.sphereMargin }
          .map { ($0.site, Geodesic.inverse(from: position, to: $0.site.position).distanceMetres) }
          // Of two at the same position the first, which has more people.
          .min { ($0.1, $0.0.number) < ($1.1, $1.0.number) }
        guard let (site, metres) = nearest, metres <= limit else { return nil }
        return (site, metres)
      }
      if last { return nil }
      look *= 2
    }
  }
}

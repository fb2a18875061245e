import EarthModel
import Quantities

extension Gazetteer {
  /// How far the first look goes, metres; each further one goes twice as far.
  private static let firstLook = 20_000.0
  /// Half of the earth's circumference and a little.
  private static let everywhere = 20_050_000.0
  /// How much the ellipsoid's distances and the sphere's can differ, twice: the nearest on the one is
  /// among those that are so much farther on the other than its nearest.
  private static let sphereMargin = 1.0125

  /// The nearest place, along the ellipsoid.
  /// - Parameters:
  ///   - position: From where.
  ///   - limit: How far to look, metres.
  /// - Returns: The place and its distance in metres; nil where none is within the limit.
  /// - Throws: That the file is damaged.
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
      // Beyond the circle that was looked at, a nearer one may lie.
      if let best, last || best * Self.sphereMargin <= look {
        let nearest =
          sites
          .filter { $0.metres <= best * Self.sphereMargin }
          .map { ($0.site, Geodesic.inverse(from: position, to: $0.site.position).distanceMetres) }
          // Of two in one spot the first, which has more people.
          .min { ($0.1, $0.0.number) < ($1.1, $1.0.number) }
        guard let (site, metres) = nearest, metres <= limit else { return nil }
        return (site, metres)
      }
      if last { return nil }
      look *= 2
    }
  }
}

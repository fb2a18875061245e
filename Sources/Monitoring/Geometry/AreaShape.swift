import EarthModel
import Quantities

/// The outline of a circle or polygon, ready to be asked how far away it is.
enum AreaShape: Sendable {
  case circle(center: GeodeticPosition, point: EarthPoint, radiusMetres: Double)
  case polygon(PolygonOutline)

  /// Makes the outline of an area.
  /// - Throws: `unsupportedRegion` for what is no area, or larger than can be monitored;
  ///   `unsupportedCondition` for a beacon.
  init(
    _ condition: MonitoredCondition, largestRadiusMetres: Double
  ) throws(MonitoringFault) {
    switch condition {
    case .circle(let center, let radius):
      guard center.isOnEarth, radius > 0, radius <= largestRadiusMetres else {
        throw .unsupportedRegion
      }
      self = .circle(center: center, point: EarthPoint(center), radiusMetres: radius)
    case .polygon(let vertices):
      guard let outline = PolygonOutline(vertices), outline.reachMetres <= largestRadiusMetres
      else { throw .unsupportedRegion }
      self = .polygon(outline)
    case .beacon: throw .unsupportedCondition
    }
  }

  /// How far inside its outline one can be at most, about, metres.
  var depthMetres: Double {
    switch self {
    case .circle(_, _, let radius): radius
    case .polygon(let outline): outline.depthMetres
    }
  }

  /// The distance to the outline, metres; negative inside.
  /// - Accuracy: 1 cm below 50 km from a circle's centre and 0.1 m beyond, wherever the outline is within
  ///   1 % of the distance; else 1 %. A polygon's: 5 cm within 50 km of its edge; farther away it is at
  ///   most what it would be.
  func signedDistance(from place: GeodeticPosition, _ point: EarthPoint) -> Double {
    switch self {
    case .circle(let center, let middle, let radius):
      let rough = point.distance(to: middle)
      // The sphere is off by up to half a percent where the way is long.
      guard rough > 20_000, abs(rough - radius) < 0.01 * rough else { return rough - radius }
      return Geodesic.inverse(from: center, to: place).distanceMetres - radius
    case .polygon(let outline): return outline.signedDistance(from: point)
    }
  }
}

extension GeodeticPosition {
  /// True for numbers that name a place.
  var isOnEarth: Bool {
    abs(latitude.degrees) <= 90.000_001 && abs(longitude.degrees) <= 180.000_001
  }
}

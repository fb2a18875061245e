import EarthModel
import Quantities

/// The outline of a circle or polygon, prepared for distance computations.
enum AreaShape: Sendable {
  case circle(center: GeodeticPosition, point: EarthPoint, radiusMetres: Double)
  case polygon(PolygonOutline)

  /// Makes the outline of an area.
  /// - Throws: `unsupportedRegion` for an invalid area, or one that exceeds the limit;
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

  /// The approximate largest distance of an inner point from the outline, metres.
  var depthMetres: Double {
    switch self {
    case .circle(_, _, let radius): radius
    case .polygon(let outline): outline.depthMetres
    }
  }

  /// The distance to the outline, metres; negative inside.
  /// - Accuracy: circle: 1 cm below 50 km from the centre and 0.1 m beyond, where the outline is
  ///   within 1 % of the distance; else 1 %. Polygon: 5 cm within 50 km of its edge; farther away a
  ///   lower bound.
  func signedDistance(from point: EarthPoint) -> Double {
    switch self {
    case .circle(let center, let middle, let radius):
      let rough = point.distance(to: middle)
      // The spherical distance errs by up to 0.5 % at long range.
      guard rough > 20_000, abs(rough - radius) < 0.01 * rough else { return rough - radius }
      return Geodesic.inverse(from: center, to: point.place).distanceMetres - radius
    case .polygon(let outline): return outline.signedDistance(from: point)
    }
  }
}

extension MonitoredCondition {
  /// True where fixes of an accuracy (68 %, metres) can show that the condition holds.
  public func isDecidable(accuracyMetres: Double) -> Bool {
    do throws(MonitoringFault) {
      let shape = try AreaShape(self, largestRadiusMetres: .infinity)
      return accuracyMetres <= shape.depthMetres
    } catch {
      return false
    }
  }
}

extension GeodeticPosition {
  /// True for a latitude and longitude in range; the margin allows for rounding.
  var isOnEarth: Bool {
    abs(latitude.degrees) <= 90.000_001 && abs(longitude.degrees) <= 180.000_001
  }
}

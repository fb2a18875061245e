import EarthModel
import Quantities
import RealModule

/// A polygon on the ellipsoid whose edges are geodesics. Its inside is the smaller side in either
/// vertex order; it may cross the date line or contain a pole.
///
/// Long edges are divided into pieces of at most 20 km: the plane through a piece's ends and the
/// earth's centre deviates from the geodesic by less than 3 cm. A place is inside where the winding
/// number of the pieces around it is not zero, so a self-crossing polygon is the union of the parts
/// that it winds around.
struct PolygonOutline: Sendable {
  private static let pieceMetres = 20_000.0
  /// The most corners and pieces: bounds the computation for each fix.
  private static let largestCount = 4096

  private let points: [EarthPoint]
  private let middle: EarthPoint
  /// The distance of the corner that is farthest from the middle, metres.
  let reachMetres: Double
  /// Twice the area divided by the perimeter: for a circle its radius, for a regular polygon the
  /// radius of its inscribed circle.
  let depthMetres: Double

  /// - Returns: nil for fewer than three or too many corners, for an invalid position, for a
  ///   polygon without area and for a corner 5000 km or more from the middle.
  init?(_ vertices: [GeodeticPosition]) {
    var corners = vertices
    if let first = corners.first, corners.count > 3, corners.last == first { corners.removeLast() }
    guard corners.count >= 3, corners.count <= Self.largestCount,
      corners.allSatisfy({ $0.isOnEarth })
    else { return nil }
    var points: [EarthPoint] = []
    for (index, corner) in corners.enumerated() {
      points.append(EarthPoint(corner))
      let next = corners[(index + 1) % corners.count]
      let way = Geodesic.inverse(from: corner, to: next)
      let pieces = (way.distanceMetres / Self.pieceMetres).rounded(.up)
      guard Double(points.count) + pieces <= Double(Self.largestCount) else { return nil }
      for piece in 1..<max(2, Int(bounded: pieces)) where pieces > 1 {
        let end = Geodesic.direct(
          from: corner, bearing: way.initialBearing,
          distanceMetres: way.distanceMetres * Double(piece) / pieces)
        points.append(EarthPoint(end.position))
      }
    }
    let sum = points.reduce(SIMD3<Double>.zero) { $0 + $1.vector }
    guard sum.length > 0 else { return nil }
    let middle = EarthPoint(vector: sum / sum.length * EarthPoint.meanRadius)
    let reach = points.map { $0.distance(to: middle) }.max() ?? 0
    guard reach < 5_000_000 else { return nil }
    self.points = points
    self.middle = middle
    reachMetres = reach
    let plane = TangentPlane(at: middle)
    var (area, length) = (0.0, 0.0)
    var last = plane.metres(of: points[points.count - 1])
    for point in points {
      let next = plane.metres(of: point)
      area += (last.x * next.y - last.y * next.x) / 2
      length += (next - last).length
      last = next
    }
    guard length > 0 else { return nil }
    depthMetres = 2 * abs(area) / length
    guard depthMetres > 0.01 else { return nil }
  }

  func signedDistance(from point: EarthPoint) -> Double {
    let away = point.distance(to: middle) * 0.994 - reachMetres
    // Far away a lower bound is enough.
    if away > 50_000 { return away }
    let plane = TangentPlane(at: point)
    var winding = 0
    var nearest = Double.infinity
    var a = plane.metres(of: points[points.count - 1])
    var isANear = plane.isNear(points[points.count - 1])
    for corner in points {
      let b = plane.metres(of: corner)
      let isBNear = plane.isNear(corner)
      if isANear, isBNear { nearest = min(nearest, Self.distanceFromOrigin(a, b)) }
      let turn: Double = a.x * b.y - a.y * b.x
      if a.y <= 0 {
        if b.y > 0, turn > 0 { winding += 1 }
      } else if b.y <= 0, turn < 0 {
        winding -= 1
      }
      (a, isANear) = (b, isBNear)
    }
    // The antipode has the same winding number.
    let isInside = winding != 0 && away < 0
    return isInside ? -min(nearest, Self.beyond) : min(nearest, Self.beyond)
  }

  /// The distance reported where no edge is near, metres: a lower bound.
  private static let beyond = 400_000.0

  private static func distanceFromOrigin(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
    let along = b - a
    let square: Double = along.lengthSquared
    let dot: Double = (a * along).sum()
    let part = square > 0 ? min(1, max(0, -dot / square)) : 0
    let foot = a + along * part
    return foot.length
  }
}

/// The orthographic projection onto the plane perpendicular to the line from the earth's centre to
/// a point.
struct TangentPlane {
  private let up: SIMD3<Double>
  private let east: SIMD3<Double>
  private let north: SIMD3<Double>
  private let origin: EarthPoint

  init(at point: EarthPoint) {
    origin = point
    up = point.direction
    // At a pole east may be any direction.
    let across = SIMD3<Double>(-up.y, up.x, 0)
    east = across.length > 1e-9 ? across / across.length : SIMD3(0, 1, 0)
    north = up.cross(east)
  }

  /// Metres east and north of the origin; shortened with distance by the projection.
  func metres(of point: EarthPoint) -> SIMD2<Double> {
    let x: Double = (point.vector * east).sum()
    let y: Double = (point.vector * north).sum()
    return SIMD2(x, y)
  }

  /// The unit vector of a bearing, clockwise from true north, earth-centred.
  func direction(_ bearing: Angle) -> SIMD3<Double> {
    east * Double.sin(bearing.radians) + north * Double.cos(bearing.radians)
  }

  /// True within 450 km, where the projection shortens by less than 0.1 %.
  func isNear(_ point: EarthPoint) -> Bool { point.chord(to: origin) < 450_000 }
}

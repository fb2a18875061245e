import Quantities
import RealModule

/// Replaces a place by the middle of the grid cell that contains it, for applications with reduced
/// accuracy: many fixes reveal no more than one.
///
/// Cells are about 5 km high and wide, in rows of equal latitude; the reported accuracy is the
/// radius of the whole cell, 3.6 km. A new cell is reported when the place is more than 500 m
/// inside it and the last report is 15 minutes old, so that a walk along a cell's edge is not
/// revealed. A fix worse than the cell increases the reported accuracy, up to 20 km.
/// - Source: Apple, CLAccuracyAuthorization.reducedAccuracy: 1 to 20 km, recomputed at most four
///   times an hour.
public struct ReducedAccuracyGrid: Codable, Sendable {
  /// The approximate height and width of a cell, metres.
  public static var cellMetres: Double { 5000 }
  /// The radius that holds a whole cell, metres.
  public static var radiusMetres: Double { cellMetres * 0.5.squareRoot() + 50 }
  /// The least time for which a cell is reported, seconds.
  public static var recomputeSeconds: Double { 900 }
  private static let edgeMetres = 500.0

  private var reported: PlaceFix?

  // The stored name of `reported` is older than the property's.
  #if !hasFeature(Embedded)
    private enum CodingKeys: String, CodingKey { case reported = "told" }
  #endif

  /// Makes a grid without a reported cell.
  public init() {}

  /// The middle of the fix's cell, with the time of the fix that changed the cell or renewed the
  /// report; without altitude, speed and course.
  public mutating func reduce(_ fix: PlaceFix) -> PlaceFix {
    let cell = Self.cell(fix.position)
    var middle = cell.middle
    if let reported {
      if abs(fix.time.seconds(since: reported.time)) < Self.recomputeSeconds { return reported }
      // Near the edge the previous cell is still reported.
      if cell.metresInside < Self.edgeMetres, Self.isNear(reported.position, fix.position) {
        middle = reported.position
      }
    }
    let radius = Self.radiusMetres
    var reduced = PlaceFix(
      position: middle,
      horizontalAccuracyMetres: min(20_000, max(radius, fix.horizontalAccuracyMetres + radius / 2)),
      time: fix.time)
    reduced.isSimulated = fix.isSimulated
    reported = reduced
    return reduced
  }

  /// The middle of the cell that a place lies in.
  public static func middle(ofCellAt place: GeodeticPosition) -> GeodeticPosition {
    cell(place).middle
  }

  /// True where the place is in the cell or near its edge.
  private static func isNear(_ middle: GeodeticPosition, _ place: GeodeticPosition) -> Bool {
    EarthPoint(middle).distance(to: EarthPoint(place))
      <= cellMetres * 0.5.squareRoot() + 2 * edgeMetres
  }

  /// The middle of the cell that contains a place, and the distance of the place from its edge.
  private static func cell(
    _ place: GeodeticPosition
  ) -> (middle: GeodeticPosition, metresInside: Double) {
    let metresToDegree = EarthPoint.meanRadius * .pi / 180
    let height = 180 / (180 * metresToDegree / cellMetres).rounded(.up)
    let row = min((place.latitude.degrees + 90) / height, 180 / height - 0.5).rounded(.down)
    let latitude = (row + 0.5) * height - 90
    // The number of cells follows from the circumference at the row's middle.
    let around = 360 * metresToDegree * Double.cos(latitude * .pi / 180)
    let width = 360 / max(1, (around / cellMetres).rounded(.down))
    let east = place.longitude.wrappedToHalfTurn.degrees + 180
    let column = (east / width).rounded(.down)
    let longitude = (column + 0.5) * width - 180
    let upDown = abs(place.latitude.degrees - latitude)
    let across = abs(east - (column + 0.5) * width)
    let scale = metresToDegree * Double.cos(latitude * .pi / 180)
    return (
      GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude),
      min((height / 2 - upDown) * metresToDegree, (width / 2 - across) * scale)
    )
  }
}

import Quantities
import RealModule

/// What a reduced-accuracy application is told in place of the true place: the middle of a cell that holds
/// it, so that a thousand fixes tell no more than one.
///
/// Cells are about 5 km high and wide, in rows of equal latitude; their accuracy is told as the radius of the
/// whole cell, 3.6 km. A new cell is told when the place is more than 500 m inside it and the last was told
/// 15 minutes ago, so that a walk along a cell's edge draws no line. A fix worse than the cell widens the
/// accuracy, up to 20 km.
/// - Source: Apple, CLAccuracyAuthorization.reducedAccuracy: 1 to 20 km, recomputed at most four times an hour.
public struct ReducedAccuracyGrid: Codable, Sendable {
  /// The height of a row, and the width of a cell, metres, about.
  public static var cellMetres: Double { 5000 }
  /// The radius that holds a whole cell, metres.
  public static var radiusMetres: Double { cellMetres * 0.5.squareRoot() + 50 }
  /// A cell is told for so long at least, seconds.
  public static var recomputeSeconds: Double { 900 }
  private static let edgeMetres = 500.0

  private var told: PlaceFix?

  /// Makes a grid that has told nothing.
  public init() {}

  /// What is told of a fix: its cell, with the time of the fix that led there; altitude, speed and course are
  /// left out.
  public mutating func reduce(_ fix: PlaceFix) -> PlaceFix {
    let cell = Self.cell(fix.position)
    var middle = cell.middle
    if let told {
      if abs(fix.time.seconds(since: told.time)) < Self.recomputeSeconds { return told }
      // Just over the edge it is still the cell before.
      if cell.metresInside < Self.edgeMetres, Self.isNear(told.position, fix.position) {
        middle = told.position
      }
    }
    let radius = Self.radiusMetres
    var reduced = PlaceFix(
      position: middle,
      horizontalAccuracyMetres: min(20_000, max(radius, fix.horizontalAccuracyMetres + radius / 2)),
      time: fix.time)
    reduced.isSimulated = fix.isSimulated
    told = reduced
    return reduced
  }

  /// The middle of the cell that a place lies in.
  public static func middle(ofCellAt place: GeodeticPosition) -> GeodeticPosition {
    cell(place).middle
  }

  /// True where the place is in the cell or at most at the other side of its edge.
  private static func isNear(_ middle: GeodeticPosition, _ place: GeodeticPosition) -> Bool {
    EarthPoint(middle).distance(to: EarthPoint(place))
      <= cellMetres * 0.5.squareRoot() + 2 * edgeMetres
  }

  /// The middle of the cell that holds a place, and how far the place is from its edge.
  private static func cell(
    _ place: GeodeticPosition
  ) -> (middle: GeodeticPosition, metresInside: Double) {
    let metresToDegree = EarthPoint.meanRadius * .pi / 180
    let height = 180 / (180 * metresToDegree / cellMetres).rounded(.up)
    let row = min((place.latitude.degrees + 90) / height, 180 / height - 0.5).rounded(.down)
    let latitude = (row + 0.5) * height - 90
    // As many cells around the row as its middle is long.
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

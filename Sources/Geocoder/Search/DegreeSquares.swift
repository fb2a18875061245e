import Foundation
import Quantities

/// The one-degree squares by which the file sorts its places: rows from the south pole up, in each
/// 360 from longitude -180 eastwards.
enum DegreeSquares {
  /// Radius of the sphere for distance comparisons, metres: the earth's mean radius (IUGG, R1).
  static let earthRadiusMetres = 6_371_008.8
  /// Positions have five decimals, so that one may be this far outside its square.
  private static let margin = 2e-5

  /// The numbers of all squares that a circle on the sphere touches, as ranges within a row.
  static func ranges(around centre: GeodeticPosition, within metres: Double) -> [ClosedRange<Int>] {
    let isFinite = centre.latitude.radians.isFinite && centre.longitude.radians.isFinite
    guard isFinite, metres >= 0 else { return [] }
    let arc = min(.pi, metres / earthRadiusMetres)
    let latitude = centre.latitude.degrees
    let longitude = centre.longitude.wrappedToHalfTurn.degrees
    let reach = arc * 180 / .pi + margin
    let (south, north) = (latitude - reach, latitude + reach)
    var columns = [0...359]
    // A circle with a pole covers all longitudes; another one is widest where it touches meridians.
    if north < 90, south > -90, arc < .pi / 2 {
      let width = asin(min(1, sin(arc) / cos(centre.latitude.radians))) * 180 / .pi + 2 * margin
      columns = Self.columns(from: longitude - width, to: longitude + width)
    }
    return (row(south)...row(north)).flatMap { row in
      columns.map { (row * 360 + $0.lowerBound)...(row * 360 + $0.upperBound) }
    }
  }

  private static func row(_ latitude: Double) -> Int {
    Int(bounded: min(179, max(0, latitude.rounded(.down) + 90)))
  }

  /// Columns between two longitudes, in two ranges across the antimeridian.
  private static func columns(from west: Double, to east: Double) -> [ClosedRange<Int>] {
    let (first, last) = (
      Int(bounded: (west + 180).rounded(.down)), Int(bounded: (east + 180).rounded(.down))
    )
    if last - first >= 359 { return [0...359] }
    let (start, end) = ((first + 360) % 360, (last + 360) % 360)
    return start <= end ? [start...end] : [0...end, start...359]
  }
}

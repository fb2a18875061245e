internal import LocationHost
internal import Monitoring

/// The locations of a manager that asks for `kCLLocationAccuracyReduced`, in a program of full
/// accuracy: as if the program had reduced accuracy.
///
/// - Source: Apple, kCLLocationAccuracyReduced.
struct CoarseLocations {
  private var grid = ReducedAccuracyGrid()
  private var newest: (exact: CLLocation, coarse: CLLocation)?

  /// The location of a new fix: the middle of its cell, a new one every 15 minutes at most.
  mutating func process(_ exact: CLLocation) -> CLLocation {
    if let newest, newest.exact === exact { return newest.coarse }
    guard let fix = exact.placeFix else { return exact }
    let coarse = Self.location(grid.reduce(fix), of: exact)
    newest = (exact, coarse)
    return coarse
  }

  /// The location of a fix from before; the cells of new ones do not depend on it.
  func known(_ exact: CLLocation) -> CLLocation {
    if let newest, newest.exact === exact { return newest.coarse }
    guard let fix = exact.placeFix else { return exact }
    var other = ReducedAccuracyGrid()
    return Self.location(other.reduce(fix), of: exact)
  }

  private static func location(_ cell: PlaceFix, of exact: CLLocation) -> CLLocation {
    let all = exact.storedValues
    var values = LocationValues(
      latitude: cell.position.latitude.degrees, longitude: cell.position.longitude.degrees,
      timestamp: all.timestamp)
    values.horizontalAccuracy = cell.horizontalAccuracyMetres
    (values.isSimulated, values.isFromAccessory) = (all.isSimulated, all.isFromAccessory)
    values.monotonicNanoseconds = all.monotonicNanoseconds
    return CLLocation(values)
  }
}

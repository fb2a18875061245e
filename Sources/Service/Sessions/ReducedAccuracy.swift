import Monitoring
import Quantities

/// What an application with reduced accuracy is told: the middle of its cell of monitoring's grid, again at most
/// four times an hour, so that neither many fixes nor their course tell more than one.
package struct ReducedAccuracy {
  /// The radius that is told, metres: it holds the cell.
  package static let accuracyMetres = ReducedAccuracyGrid.radiusMetres

  private var grid = ReducedAccuracyGrid()
  /// What came of the newest fix: several that ask about one fix are told the same.
  private var newest: (fix: Timestamp, told: Estimate?)?
  /// The place that was told last; nil before the first.
  package private(set) var cell: GeodeticPosition?

  /// Begins before anything was told.
  package init() {}

  /// What may be told.
  /// - Returns: The estimate without its exact place; nil where no new place is due.
  package mutating func reduce(_ estimate: Estimate) -> Estimate? {
    guard let position = estimate.position, let fix = estimate.fixTimestamp else {
      return Self.withoutPlace(estimate)
    }
    if let newest, newest.fix == fix { return newest.told }
    // The rule goes by differences: any clock that is not set does.
    let time = UTCTime(nanosecondsSince1970: Int64(clamping: fix.nanoseconds))
    let place = PlaceFix(
      position: position,
      horizontalAccuracyMetres: estimate.horizontalAccuracyMetres ?? Self.accuracyMetres, time: time
    )
    let reduced = grid.reduce(place)
    let isNew = reduced.time == time
    if isNew { cell = reduced.position }
    let told = isNew ? Self.placed(estimate, at: reduced.position) : nil
    newest = (fix, told)
    return told
  }

  /// An estimate with the cell in place of the place.
  static func placed(_ estimate: Estimate, at cell: GeodeticPosition) -> Estimate {
    var reduced = withoutPlace(estimate)
    reduced.position = cell
    reduced.fixKind = estimate.fixKind
    reduced.fixTimestamp = estimate.fixTimestamp
    reduced.horizontalAccuracyMetres = max(
      accuracyMetres, estimate.horizontalAccuracyMetres ?? accuracyMetres)
    return reduced
  }

  /// An estimate of which nothing but heading and attitude is left.
  static func withoutPlace(_ estimate: Estimate) -> Estimate {
    var reduced = Estimate(timestamp: estimate.timestamp)
    reduced.utc = estimate.utc
    reduced.attitude = estimate.attitude
    reduced.isLevelKnown = estimate.isLevelKnown
    reduced.magneticHeading = estimate.magneticHeading
    reduced.trueHeading = estimate.trueHeading
    reduced.headingAccuracy = estimate.headingAccuracy
    reduced.trueHeadingAccuracy = estimate.trueHeadingAccuracy
    reduced.isDeclinationOutOfDate = estimate.isDeclinationOutOfDate
    reduced.rateOfTurn = estimate.rateOfTurn
    reduced.attitudeMode = estimate.attitudeMode
    reduced.field = estimate.field
    reduced.calibration = estimate.calibration
    reduced.disturbance = estimate.disturbance
    reduced.isSimulated = estimate.isSimulated
    return reduced
  }

  /// The middle of the cell that a place lies in.
  package static func cell(of position: GeodeticPosition) -> GeodeticPosition {
    ReducedAccuracyGrid.middle(ofCellAt: position)
  }
}

import EarthModel
import Monitoring
import Quantities

/// What an application of reduced accuracy receives in place of an estimate.
///
/// A host has one of it for all its clients: no number of connections or names shows more than one does.
/// Everything in it follows from the cell of `ReducedAccuracyGrid` that the application was given last, and from
/// what does not depend on the place. So the application can compute the cell and no more:
/// - The position of each fix is the middle of the cell, which is computed again at most every 15 minutes, whenever
///   the place changes, so that the time of a change does not show when an edge was crossed.
/// - True north is the magnetic model's at the middle of the cell. The exact declination, and the uncertainty of
///   it, are the same along one line on the map only.
/// - The magnetic field, measured or of the model, is left out: strength and inclination are known by place. So
///   are altitude, speed, course and everything else that a receiver reports.
public struct ReducedAccuracy: Sendable {
  /// The radius that holds the whole cell, metres.
  public static let accuracyMetres = ReducedAccuracyGrid.radiusMetres
  /// The true north of a cell is computed again after this, years.
  private static let northAge = 0.002

  private var grid = ReducedAccuracyGrid()
  /// The newest fix that the cell takes into account.
  private var newest: Timestamp?
  private var north: (year: Double, elements: MagneticElements?)?
  /// The middle of the cell that was given last; nil before the first.
  public private(set) var cell: GeodeticPosition?

  /// Makes a rule that has given no cell.
  public init() {}

  /// The middle of the cell that a place lies in.
  public static func cell(of position: GeodeticPosition) -> GeodeticPosition {
    ReducedAccuracyGrid.middle(ofCellAt: position)
  }

  /// The estimate as the application receives it.
  /// - Parameters:
  ///   - estimate: What the engine estimates.
  ///   - now: The civil time, for an estimate that has none.
  /// - Returns: Heading, attitude and time, with the cell in place of a position.
  public mutating func reduce(_ estimate: Estimate, now: UTCTime) -> Estimate {
    var reduced = Estimate(timestamp: estimate.timestamp)
    advance(estimate)
    if estimate.position != nil, let cell { Self.place(&reduced, estimate, at: cell) }
    describeHeading(&reduced, estimate, now: now)
    return reduced
  }

  /// The last fix for a client that has just connected.
  /// - Parameters:
  ///   - estimate: The newest fix, maybe of an earlier run.
  ///   - now: The civil time, for an estimate that has none.
  /// - Returns: The cell that was given last; before the first that of the fix, which changes no rule.
  public mutating func current(_ estimate: Estimate, now: UTCTime) -> Estimate? {
    guard let position = estimate.position else { return nil }
    var reduced = Estimate(timestamp: estimate.timestamp)
    Self.place(&reduced, estimate, at: cell ?? Self.cell(of: position))
    reduced.utc = estimate.utc
    reduced.isSimulated = estimate.isSimulated
    return reduced
  }

  /// Takes a fix into account.
  private mutating func advance(_ estimate: Estimate) {
    guard let position = estimate.position, let fix = estimate.fixTimestamp, fix != newest else {
      return
    }
    newest = fix
    // The rule goes by differences of time: any clock that is not set does.
    let place = grid.reduce(
      PlaceFix(
        position: position,
        horizontalAccuracyMetres: estimate.horizontalAccuracyMetres ?? Self.accuracyMetres,
        time: UTCTime(nanosecondsSince1970: Int64(clamping: fix.nanoseconds))))
    if cell != place.position { (cell, north) = (place.position, nil) }
  }

  private static func place(
    _ reduced: inout Estimate, _ estimate: Estimate, at cell: GeodeticPosition
  ) {
    reduced.position = cell
    reduced.fixKind = estimate.fixKind
    reduced.fixTimestamp = estimate.fixTimestamp
    reduced.horizontalAccuracyMetres = max(
      accuracyMetres, estimate.horizontalAccuracyMetres ?? accuracyMetres)
  }

  /// Takes over what does not depend on the place, with the cell's true north.
  private mutating func describeHeading(
    _ reduced: inout Estimate, _ estimate: Estimate, now: UTCTime
  ) {
    reduced.utc = estimate.utc
    reduced.attitude = estimate.attitude
    reduced.isLevelKnown = estimate.isLevelKnown
    reduced.magneticHeading = estimate.magneticHeading
    reduced.headingAccuracy = estimate.headingAccuracy
    reduced.isDeclinationOutOfDate = estimate.isDeclinationOutOfDate
    reduced.rateOfTurn = estimate.rateOfTurn
    reduced.attitudeMode = estimate.attitudeMode
    reduced.calibration = estimate.calibration
    reduced.disturbance = estimate.disturbance
    reduced.isSimulated = estimate.isSimulated
    guard let heading = estimate.magneticHeading, estimate.trueHeading != nil,
      let north = north(at: (estimate.utc ?? now).decimalYear)
    else { return }
    reduced.trueHeading = north.trueHeading(of: heading)
    reduced.trueHeadingAccuracy = estimate.headingAccuracy.map { accuracy in
      // Both hold 95 %; the model's uncertainty is one sigma.
      let model = 2 * north.declinationUncertainty.radians
      let both = (accuracy.radians * accuracy.radians + model * model).squareRoot()
      return Angle(radians: min(.pi, both))
    }
  }

  /// The magnetic elements at the middle of the cell; nil before the first cell.
  private mutating func north(at year: Double) -> MagneticElements? {
    guard let cell else { return nil }
    if let north, abs(north.year - year) < Self.northAge { return north.elements }
    var elements: MagneticElements?
    do {
      elements = try MagneticModel.wmm2025.elements(
        at: cell, ellipsoidalHeightMetres: 0, decimalYear: year)
    } catch {
      // A place that the model has no answer for has no true north either.
      elements = nil
    }
    north = (year, elements)
    return elements
  }
}

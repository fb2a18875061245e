import EarthModel
import Monitoring
import Quantities

/// Replaces an estimate by what an application of reduced accuracy may receive.
///
/// A host has one instance for all its clients: several connections or identifiers reveal no more
/// than one. The result depends only on the newest delivered cell of `ReducedAccuracyGrid` and on
/// values that do not depend on the place. The application can derive the cell and nothing more
/// exact:
/// - The position of each fix is the middle of the cell. The cell is computed again every 15
///   minutes at most, so that the time of a change does not reveal when a boundary was crossed.
/// - True north is the magnetic model's at the middle of the cell. The exact declination and its
///   uncertainty would reveal a line on the map.
/// - The magnetic field, measured or modelled, is left out: its strength and inclination reveal the
///   place. Altitude, speed, course and all other values of a receiver are left out too.
public struct ReducedAccuracy: Sendable {
  /// The radius that holds the whole cell, metres.
  public static let accuracyMetres = ReducedAccuracyGrid.radiusMetres
  /// The interval after which a cell's true north is computed again, years.
  private static let northAge = 0.002

  private var grid = ReducedAccuracyGrid()
  /// The time of the newest processed fix.
  private var newest: Timestamp?
  private var north: (year: Double, elements: MagneticElements?)?
  /// The middle of the newest delivered cell; nil before the first.
  public private(set) var cell: GeodeticPosition?

  /// Makes an instance that has delivered no cell.
  public init() {}

  /// The middle of the cell that contains a place.
  public static func cell(of position: GeodeticPosition) -> GeodeticPosition {
    ReducedAccuracyGrid.middle(ofCellAt: position)
  }

  /// The estimate as the application receives it.
  /// - Parameters:
  ///   - estimate: The engine's estimate.
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
  ///   - estimate: The newest fix, possibly of an earlier run.
  ///   - now: The civil time, for an estimate that has none.
  /// - Returns: The newest delivered cell; before the first, the cell of the fix. The state does
  ///   not change.
  public mutating func current(_ estimate: Estimate, now: UTCTime) -> Estimate? {
    guard let position = estimate.position else { return nil }
    var reduced = Estimate(timestamp: estimate.timestamp)
    Self.place(&reduced, estimate, at: cell ?? Self.cell(of: position))
    reduced.utc = estimate.utc
    reduced.isSimulated = estimate.isSimulated
    return reduced
  }

  /// Updates the cell with the estimate's fix, if it is new.
  private mutating func advance(_ estimate: Estimate) {
    guard let position = estimate.position, let fix = estimate.fixTimestamp, fix != newest else {
      return
    }
    newest = fix
    // The grid uses only time differences: a monotonic clock is sufficient.
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

  /// Copies the values that do not depend on the place, and adds the cell's true north.
  private mutating func describeHeading(
    _ reduced: inout Estimate, _ estimate: Estimate, now: UTCTime
  ) {
    reduced.copyMagneticHeading(of: estimate)
    reduced.isDeclinationOutOfDate = estimate.isDeclinationOutOfDate
    reduced.inputs = estimate.inputs
    reduced.positionState = estimate.positionState
    reduced.positionStateSince = estimate.positionStateSince
    reduced.antennas = estimate.antennas
    guard let heading = estimate.magneticHeading, estimate.trueHeading != nil,
      let north = north(at: (estimate.utc ?? now).decimalYear)
    else { return }
    reduced.trueHeading = north.trueHeading(of: heading)
    reduced.trueHeadingAccuracy = estimate.headingAccuracy.map { accuracy in
      // The heading accuracy is the 95 % radius; the model's uncertainty is one sigma.
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
      // True north is unknown outside the model's range.
      elements = nil
    }
    north = (year, elements)
    return elements
  }
}

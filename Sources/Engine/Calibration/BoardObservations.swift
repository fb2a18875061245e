import CalibrationFit
import Quantities
import Recording

/// A board's samples as a calibration sees them, collected.
public struct BoardObservations {
  private var maker = ObservationMaker()
  /// The observations so far.
  public private(set) var observations: [FieldObservation] = []

  /// Makes a collection that holds nothing.
  public init() {}

  /// Takes in all that one instant holds.
  public mutating func add(_ row: SensorRow) {
    if let observation = maker.add(row) { observations.append(observation) }
  }

  /// How the magnetometer lies against the inertial unit.
  /// - Throws: `CalibrationFitError` that says what is missing.
  public func mount(prior: FieldPrior) throws(CalibrationFitError) -> MountFinding {
    if let fault = maker.checks.fault { throw fault }
    return try MountSearch(fit: ForwardFit(prior: prior)).search(observations)
  }
}

import CalibrationFit
import Quantities
import Recording

/// A board's samples as a calibration sees them, collected: a recording's as a whole, or some seconds of a
/// live board's.
public struct BoardObservations {
  private var maker = ObservationMaker()
  private var observations: [FieldObservation] = []
  private var fieldCount = 0

  /// Five observations a second: more than an hour of them teaches nothing new.
  private static let capacity = 18_000

  /// Makes a collection that holds nothing.
  public init() {}

  /// Takes in all that one instant holds.
  public mutating func add(_ row: SensorRow) {
    if row.field != nil { fieldCount += 1 }
    if let observation = maker.add(row), observations.count < Self.capacity {
      observations.append(observation)
    }
  }

  /// The calibration.
  /// - Parameter prior: What is known of the earth's field.
  /// - Returns: The judged calibration.
  /// - Throws: `CalibrationFitError` that says what is missing.
  public func outcome(prior: FieldPrior) throws(CalibrationFitError) -> CalibrationOutcome {
    let fewest = ForwardFit.Parameters().fewestObservations
    guard fieldCount >= fewest else {
      throw .tooFewSamples(found: fieldCount, needed: fewest)
    }
    // Without an accelerometer the board's z axis is taken to point up, as everywhere else.
    let solver = CalibrationSolver(
      prior: prior, down: maker.downAtStart ?? SIMD3(0, 0, -1))
    return try solver.solve(observations, checks: maker.checks)
  }

  /// How the magnetometer lies against the inertial unit.
  /// - Throws: `CalibrationFitError` that says what is missing.
  public func mount(prior: FieldPrior) throws(CalibrationFitError) -> MountFinding {
    if let fault = maker.checks.fault { throw fault }
    return try MountSearch(fit: ForwardFit(prior: prior)).search(observations)
  }
}

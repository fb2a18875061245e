import CalibrationFit
import EarthModel
import Quantities
import Recording

/// Calibrates from a recording as a whole.
public struct RecordingCalibration {
  private var maker = ObservationMaker()
  private var observations: [FieldObservation] = []
  private var fieldCount = 0
  private var hasGyroscope = false
  private var hasAccelerometer = false

  /// Five observations a second: more than an hour of them teaches nothing new.
  private static let capacity = 18_000

  /// Makes a calibration that has seen nothing.
  public init() {}

  /// Takes in all that one instant of the recording holds.
  public mutating func add(_ row: SensorRow) {
    if row.field != nil { fieldCount += 1 }
    if row.inertial?.angularRate != nil { hasGyroscope = true }
    if row.inertial?.specificForce != nil { hasAccelerometer = true }
    if let observation = maker.add(row), observations.count < Self.capacity {
      observations.append(observation)
    }
  }

  /// Fits.
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
}

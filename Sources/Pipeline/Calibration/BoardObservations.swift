import CalibrationFit
import Formats
import InputProof
import Quantities

/// Collects the observations for a calibration from a board's samples: a whole recording, or some
/// seconds of a live board.
public struct BoardObservations {
  private var maker = ObservationMaker()
  private var observations: [FieldObservation] = []
  private var fieldCount = 0
  private var proof = InputProof()

  /// One hour of five observations a second: more add no information.
  private static let capacity = 18_000

  /// An empty collection.
  public init() {}

  /// Adds all samples of one row.
  public mutating func add(_ row: SensorSamples) {
    if row.field != nil { fieldCount += 1 }
    proof.add(row)
    if let observation = maker.add(row), observations.count < Self.capacity {
      observations.append(observation)
    }
  }

  /// Solves the calibration.
  /// - Parameters:
  ///   - prior: The knowledge of the earth's field.
  ///   - use: The attitudes for which the result is judged; nil to decide by the motion.
  /// - Returns: The calibration with its quality.
  /// - Throws: `CalibrationFitError` that names what is missing.
  public func outcome(
    prior: FieldPrior, use: CalibrationUse? = nil
  ) throws(CalibrationFitError) -> CalibrationOutcome {
    let fewest = ForwardFit.Parameters().fewestObservations
    guard fieldCount >= fewest else {
      throw .tooFewSamples(found: fieldCount, needed: fewest)
    }
    if let fault = proof.verdicts.headingFault { throw .contradicted(fault) }
    // Without an accelerometer the board's z axis is taken to point up, as everywhere else.
    var solver = CalibrationSolver(
      prior: prior, down: maker.downAtStart ?? SIMD3(0, 0, -1))
    solver.use = use
    return try solver.solve(observations, checks: maker.checks)
  }

  /// The physical checks of the samples, also without a gyroscope.
  public var verdicts: InputVerdicts { proof.verdicts }

  /// Sets the expected field at the place.
  public mutating func expect(_ field: EarthField) { proof.expect(field) }

  /// The orientation of the magnetometer relative to the inertial unit.
  /// - Throws: `CalibrationFitError` that names what is missing.
  public func mount(prior: FieldPrior) throws(CalibrationFitError) -> MountFinding {
    if let fault = maker.checks.fault { throw fault }
    if let fault = proof.verdicts.headingFault, case .scale = fault { throw .contradicted(fault) }
    return try MountSearch(fit: ForwardFit(prior: prior)).search(observations)
  }
}

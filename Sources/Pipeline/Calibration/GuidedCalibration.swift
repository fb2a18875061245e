import CalibrationFit
import Dispatch
import Formats
import InputProof
import Quantities
import Synchronization

/// A calibration that the user makes by turning the board. The board's thread adds samples, fits
/// run on a queue, and a user interface reads the progress. Safe from any thread.
public final class GuidedCalibration: Sendable {
  /// Seconds of samples between two fits.
  private static let fitInterval = 1.5
  /// More observations add no information: the oldest are dropped.
  private static let capacity = 3_000

  private struct State {
    var solver: CalibrationSolver
    var maker: ObservationMaker
    var proof = InputProof()
    var field: EarthField?
    var observations: [FieldObservation] = []
    var isPaused = false
    var isFitting = false
    var nextFit: Timestamp?
    var newest: (outcome: CalibrationOutcome?, fault: CalibrationFitError?)
    var shown: CalibrationProgress?
    /// Changes with every undo and restart, so that an earlier fit is ignored.
    var round = 0

    init(solver: CalibrationSolver, maker: ObservationMaker) {
      (self.solver, self.maker) = (solver, maker)
    }

    mutating func forget() {
      newest = (nil, nil)
      maker.forgetFaults()
      proof = InputProof()
      if let field { proof.expect(field) }
      shown = nil
      nextFit = nil
      round += 1
    }
  }

  private let guide: CalibrationGuide
  private let queue: DispatchQueue
  private let state: Mutex<State>

  /// Makes a calibration without samples.
  /// - Parameters:
  ///   - prior: The knowledge of the earth's field.
  ///   - mounting: From the board's axes to the body's.
  ///   - fullScale: The ranges of the board's sensors.
  ///   - use: The attitudes for which the result is judged; nil to decide by the motion.
  ///   - queue: Where the fits run.
  public init(
    prior: FieldPrior, mounting: Rotation<SensorFrame, BodyFrame>,
    fullScale: SensorFullScale = SensorFullScale(), use: CalibrationUse? = nil,
    queue: DispatchQueue = GuidedCalibration.makeQueue()
  ) {
    var solver = CalibrationSolver(prior: prior, down: mounting.inverse.rotate(SIMD3(0, 0, 1)))
    solver.use = use
    state = Mutex(State(solver: solver, maker: ObservationMaker(fullScale: fullScale)))
    guide = CalibrationGuide(mounting: mounting, use: use)
    self.queue = queue
  }

  /// A queue for the fits of one calibration.
  public static func makeQueue() -> DispatchQueue {
    DispatchQueue(label: "lodestar-calibration", qos: .utility)
  }

  /// The attitudes for which the result is judged; nil to decide by the motion.
  public var use: CalibrationUse? { guide.use }

  /// Sets the field of the magnetic model, once the position is known.
  public func expect(_ field: EarthField) {
    state.withLock { state in
      state.solver.prior = .model(field)
      state.field = field
      state.proof.expect(field)
    }
  }

  /// Adds all samples of one row.
  public func add(_ row: SensorSamples) {
    let job: Job? = state.withLock { state in
      guard !state.isPaused else { return nil }
      state.proof.add(row)
      guard let observation = state.maker.add(row) else { return nil }
      state.observations.append(observation)
      if state.observations.count > Self.capacity { state.observations.removeFirst() }
      let now = observation.timestamp
      let due = state.nextFit ?? now
      guard now >= due, !state.isFitting else { return nil }
      state.nextFit = now.advanced(bySeconds: Self.fitInterval)
      state.isFitting = true
      return Job(
        solver: state.solver, observations: state.observations, checks: state.maker.checks,
        contradiction: state.proof.verdicts.headingFault, round: state.round)
    }
    guard let job else { return }
    queue.async { [self] in run(job) }
  }

  /// The input of one fit.
  private struct Job: Sendable {
    let solver: CalibrationSolver
    let observations: [FieldObservation]
    let checks: SampleChecks
    let contradiction: InputVerdicts.Fault?
    let round: Int
  }

  private func run(_ job: Job) {
    let found: (outcome: CalibrationOutcome?, fault: CalibrationFitError?)
    if let fault = job.contradiction {
      found = (nil, .contradicted(fault))
    } else {
      found = fit(job)
    }
    state.withLock { state in
      state.isFitting = false
      if job.round == state.round {
        state.newest = found
        state.shown = nil
      }
    }
  }

  private func fit(_ job: Job) -> (outcome: CalibrationOutcome?, fault: CalibrationFitError?) {
    do throws(CalibrationFitError) {
      return (try job.solver.solve(job.observations, checks: job.checks), nil)
    } catch {
      return (nil, error)
    }
  }

  /// The progress of the newest fit.
  public func progress() -> CalibrationProgress {
    let (seen, newest, shown) = state.withLock { ($0.observations, $0.newest, $0.shown) }
    // Cached: a user interface reads it many times between two observations.
    if let shown, shown.observationCount == seen.count { return shown }
    let isDisturbed =
      switch newest.fault {
      case .inconsistent, .ironChanged: true
      default: false
      }
    let progress = guide.progress(
      seen, outcome: newest.outcome, yaw: newest.outcome?.yaw, isDisturbed: isDisturbed)
    state.withLock { $0.shown = progress }
    return progress
  }

  /// Why the newest fit failed; nil if it did not, or if it only has too few samples yet.
  public var fault: CalibrationFitError? {
    let (newest, contradiction) = state.withLock {
      ($0.newest.fault, $0.proof.verdicts.headingFault)
    }
    if let contradiction { return .contradicted(contradiction) }
    return switch newest {
    case .tooFewSamples, .tooLittleMotion, nil: nil
    case .some(let fault): fault
    }
  }

  /// Discards the newest samples.
  public func undo(seconds: Double) {
    state.withLock { state in
      guard let last = state.observations.last?.timestamp else { return }
      state.observations.removeAll { last.seconds(since: $0.timestamp) < seconds }
      state.forget()
    }
  }

  /// Discards all samples.
  public func restart() {
    state.withLock { state in
      state.observations.removeAll()
      state.forget()
    }
  }

  /// Ignores samples while `isPaused` is true.
  public func pause(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

  /// The calibration by all samples.
  /// - Throws: `CalibrationFitError` that names what is missing.
  public func outcome() throws(CalibrationFitError) -> CalibrationOutcome {
    let (solver, seen, checks, contradiction) = state.withLock {
      ($0.solver, $0.observations, $0.maker.checks, $0.proof.verdicts.headingFault)
    }
    if let contradiction { throw .contradicted(contradiction) }
    return try solver.solve(seen, checks: checks)
  }
}

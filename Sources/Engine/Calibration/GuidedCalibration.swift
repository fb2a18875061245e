import CalibrationFit
import Formats
import Foundation
import Quantities

/// A calibration that the user makes by turning the board. The board's thread adds samples, fits run on
/// their own thread, and a user interface reads the progress. Safe from any thread.
public final class GuidedCalibration: @unchecked Sendable {
  /// Seconds of samples between two fits.
  private static let fitInterval = 1.5
  /// More observations add no information: the oldest are dropped.
  private static let capacity = 3_000

  private let lock = NSLock()
  private var solver: CalibrationSolver
  private let guide: CalibrationGuide
  private var maker: ObservationMaker
  private var observations: [FieldObservation] = []
  private var isPaused = false
  private var isFitting = false
  private var nextFit: Timestamp?
  private var newest: (outcome: CalibrationOutcome?, fault: CalibrationFitError?)
  private var shown: CalibrationProgress?
  /// Changes with every undo and restart, so that an earlier fit is ignored.
  private var round = 0

  /// Makes a calibration without samples.
  /// - Parameters:
  ///   - prior: What is known of the earth's field.
  ///   - mounting: From the board's axes to the body's.
  ///   - fullScale: The ranges of the board's sensors.
  public init(
    prior: FieldPrior, mounting: Rotation<SensorFrame, BodyFrame>,
    fullScale: SensorFullScale = SensorFullScale()
  ) {
    maker = ObservationMaker(fullScale: fullScale)
    solver = CalibrationSolver(prior: prior, down: mounting.inverse.rotate(SIMD3(0, 0, 1)))
    guide = CalibrationGuide(mounting: mounting)
  }

  /// Sets the field of the magnetic model, once the position is known.
  public func expect(_ field: EarthField) { lock.withLock { solver.prior = .model(field) } }

  /// Adds all samples of one row.
  public func add(_ row: SensorSamples) {
    let job: Job? = lock.withLock {
      guard !isPaused, let observation = maker.add(row) else { return nil }
      observations.append(observation)
      if observations.count > Self.capacity { observations.removeFirst() }
      let now = observation.timestamp
      let due = nextFit ?? now
      guard now >= due, !isFitting else { return nil }
      nextFit = now.advanced(byNanoseconds: UInt64(Self.fitInterval * 1e9))
      isFitting = true
      return Job(
        solver: solver, observations: observations, checks: maker.checks, round: round)
    }
    guard let job else { return }
    let thread = Thread { [self] in run(job) }
    thread.name = "lodestar-calibrate"
    thread.start()
  }

  /// The input of one fit.
  private struct Job: Sendable {
    let solver: CalibrationSolver
    let observations: [FieldObservation]
    let checks: SampleChecks
    let round: Int
  }

  private func run(_ job: Job) {
    var found: (outcome: CalibrationOutcome?, fault: CalibrationFitError?)
    do throws(CalibrationFitError) {
      found = (try job.solver.solve(job.observations, checks: job.checks), nil)
    } catch {
      found = (nil, error)
    }
    lock.withLock {
      isFitting = false
      if job.round == round {
        newest = found
        shown = nil
      }
    }
  }

  /// The progress of the newest fit.
  public func progress() -> CalibrationProgress {
    let (seen, newest, shown) = lock.withLock { (observations, self.newest, self.shown) }
    // Cached: a user interface reads it many times between two observations.
    if let shown, shown.observationCount == seen.count { return shown }
    let isDisturbed =
      switch newest.fault {
      case .inconsistent, .ironChanged: true
      default: false
      }
    let progress = guide.progress(
      seen, outcome: newest.outcome, yaw: newest.outcome?.yaw, isDisturbed: isDisturbed)
    lock.withLock { self.shown = progress }
    return progress
  }

  /// Why the newest fit failed; nil if it did not, or if it only has too few samples yet.
  public var fault: CalibrationFitError? {
    switch lock.withLock({ newest.fault }) {
    case .tooFewSamples, .tooLittleMotion, nil: nil
    case .some(let fault): fault
    }
  }

  /// Discards the newest samples.
  public func undo(seconds: Double) {
    lock.withLock {
      guard let last = observations.last?.timestamp else { return }
      observations.removeAll { last.seconds(since: $0.timestamp) < seconds }
      forget()
    }
  }

  /// Discards all samples.
  public func restart() {
    lock.withLock {
      observations.removeAll()
      forget()
    }
  }

  private func forget() {
    newest = (nil, nil)
    maker.forgetFaults()
    shown = nil
    nextFit = nil
    round += 1
  }

  /// Ignores samples while `isPaused` is true.
  public func pause(_ isPaused: Bool) { lock.withLock { self.isPaused = isPaused } }

  /// The calibration by all samples.
  /// - Throws: `CalibrationFitError` that names what is missing.
  public func outcome() throws(CalibrationFitError) -> CalibrationOutcome {
    let (solver, seen, checks) = lock.withLock { (self.solver, observations, maker.checks) }
    return try solver.solve(seen, checks: checks)
  }
}

import CalibrationFit
import Foundation

/// Runs the fits of an online calibration, which take too long for the pipeline's thread.
package protocol RefitRunner: Sendable {
  /// Starts a fit; ignored while another runs.
  func begin(_ job: RefitJob)
  /// The result of a fit that has ended since the last call; nil for none.
  func take() -> ForwardSolution?
}

/// Runs fits on a thread of the lowest priority.
package final class BackgroundRefits: RefitRunner, @unchecked Sendable {
  private let lock = NSLock()
  private var isRunning = false
  private var result: ForwardSolution?

  package init() {}

  package func begin(_ job: RefitJob) {
    let mayRun = lock.withLock {
      defer { isRunning = true }
      return !isRunning
    }
    guard mayRun else { return }
    let thread = Thread { [self] in
      var solution: ForwardSolution?
      // A fit that does not converge is ignored: the next one has more observations.
      do { solution = try job.run() } catch { solution = nil }
      lock.withLock {
        isRunning = false
        result = solution ?? result
      }
    }
    thread.name = "lodestar-refit"
    thread.qualityOfService = .background
    thread.start()
  }

  package func take() -> ForwardSolution? {
    lock.withLock {
      defer { result = nil }
      return result
    }
  }
}

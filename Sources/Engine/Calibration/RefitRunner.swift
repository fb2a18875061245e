import CalibrationFit
import Foundation

/// Runs the fits of an online calibration, which are too long for the way of the samples.
package protocol RefitRunner: Sendable {
  /// Begins a fit; one that is asked for while another runs is left out.
  func begin(_ job: RefitJob)
  /// What a fit that has ended since the last call found; nil while none has.
  func take() -> ForwardSolution?
}

/// Fits on a thread of its own, below everything else in priority.
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
      // A fit that does not settle is no news: the next one has more to go by.
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

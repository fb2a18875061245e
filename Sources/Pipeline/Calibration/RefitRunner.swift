import CalibrationFit
import LinuxIO
import Synchronization

/// Runs the fits of an online calibration, which take too long for the pipeline's thread.
package protocol RefitRunner: Sendable {
  /// Starts a fit; ignored while another runs.
  func begin(_ job: RefitJob)
  /// The result of a fit that has ended since the last call; nil if there is none.
  func nextResult() -> ForwardSolution?
}

/// Runs fits on a thread of the lowest priority.
package final class BackgroundRefits: RefitRunner {
  private struct State {
    var isRunning = false
    var result: ForwardSolution?
  }
  private let state = Mutex(State())

  package init() {}

  package func begin(_ job: RefitJob) {
    let mayRun = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mayRun else { return }
    WorkerThread.start("lodestar-refit") { [self] in
      let solution: ForwardSolution?
      // A fit that does not converge is ignored: the next one has more observations.
      do { solution = try job.run() } catch { solution = nil }
      state.withLock { state in
        state.isRunning = false
        state.result = solution ?? state.result
      }
    }
  }

  package func nextResult() -> ForwardSolution? {
    state.withLock { state in
      defer { state.result = nil }
      return state.result
    }
  }
}

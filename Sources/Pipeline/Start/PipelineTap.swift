import CalibrationFit

/// Receives what a pipeline takes besides its rows, in the order in which it takes it, on the pipeline's thread.
package protocol PipelineTap: Sendable {
  /// A pipeline begins.
  func begin(_ state: StartState)
  /// The result of a fit that ran beside the pipeline.
  func take(_ fit: ForwardSolution)
  /// A calibration that was given.
  func take(_ given: GivenCalibration)
  /// A change of the calibration in use.
  func take(_ change: OnlineCalibrationEvent)
}

/// A runner whose results a tap receives.
struct TappedRefits: RefitRunner {
  let runner: any RefitRunner
  let tap: any PipelineTap

  func begin(_ job: RefitJob) { runner.begin(job) }

  func take() -> ForwardSolution? {
    let solution = runner.take()
    if let solution { tap.take(solution) }
    return solution
  }
}

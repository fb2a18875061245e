import CalibrationFit

/// Receives a pipeline's inputs other than rows, in the order in which the pipeline applies them,
/// on its thread.
package protocol PipelineTap: Sendable {
  /// A pipeline begins.
  func begin(_ state: StartState)
  /// The result of a fit that ran beside the pipeline.
  func record(_ fit: ForwardSolution)
  /// A calibration that the user has made or set.
  func record(_ given: GivenCalibration)
  /// A change of the calibration in use.
  func record(_ change: OnlineCalibrationEvent)
}

/// A runner whose results a tap receives.
struct TappedRefits: RefitRunner {
  let runner: any RefitRunner
  let tap: any PipelineTap

  func begin(_ job: RefitJob) { runner.begin(job) }

  func nextResult() -> ForwardSolution? {
    let solution = runner.nextResult()
    if let solution { tap.record(solution) }
    return solution
  }
}

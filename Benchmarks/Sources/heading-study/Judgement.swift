import Foundation
import Fusion
import Quantities
import RecordedTrials

/// One evaluated sample: the filter's output against the truth, degrees.
struct Judgement: Sendable {
  let seconds: Double
  /// Error of the heading, clockwise positive.
  let heading: Double
  /// Error of level.
  let inclination: Double
  /// The angle of the whole error.
  let total: Double
  /// The stated radius that contains 95 % of the heading's errors.
  let accuracy: Double

  init(_ solution: AttitudeSolution, truth: Rotation<BodyFrame, MagneticEarthFrame>, at t: Double) {
    let error = solution.attitude * truth.inverse
    let sign = error.w < 0 ? -1.0 : 1.0
    let (w, z) = (error.w * sign, error.v.z * sign)
    seconds = t
    // Turn and tilt: each rotation is one about the vertical and one about a level axis.
    heading = 2 * atan2(z, w) * 180 / .pi
    inclination = 2 * acos(min(1, (w * w + z * z).squareRoot())) * 180 / .pi
    total = error.angle.degrees
    accuracy = solution.headingAccuracy?.degrees ?? 180
  }
}

/// The output of a filter with these parameters for each evaluated sample of the trial.
func judge(_ trial: Trial, _ parameters: StrapdownFilter.Parameters) -> [Judgement] {
  var filter = StrapdownFilter(parameters: parameters)
  var judgements: [Judgement] = []
  judgements.reserveCapacity(trial.count)
  for i in 0..<trial.count {
    filter.update(trial.inertial(i))
    if let sample = trial.fieldSample(i) { filter.update(sample) }
    guard trial.isJudged[i], let solution = filter.solution else { continue }
    judgements.append(Judgement(solution, truth: trial.truth[i], at: trial.seconds[i]))
  }
  return judgements
}

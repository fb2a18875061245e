import Fusion
import RecordedTrials
import Study

/// The judgements of a run in few figures, degrees.
struct Score: Sendable {
  /// Root mean square of the heading's error.
  let heading: Double
  /// Root mean square of the inclination's.
  let inclination: Double
  /// Root mean square of the whole error.
  let total: Double
  /// Mean error of the heading.
  let bias: Double
  /// Fraction of samples whose error is within the stated accuracy.
  let coverage: Double
  /// Mean stated accuracy.
  let accuracy: Double
  /// Mean quantile score of the stated accuracy.
  let quantile: Double
  /// Judged samples.
  let count: Double
  /// Samples whose heading is wrong by more than `largeError`.
  let large: Double
  /// Those of them whose stated accuracy is wider than that.
  let largeSaid: Double

  static let largeError = 8.0

  /// A proper score of a 95 % radius: in the mean over the samples the true quantile has the least.
  static func quantileScore(error: Double, radius: Double) -> Double {
    radius + 20 * max(0, abs(error) - radius)
  }

  init(_ judgements: [Judgement]) {
    let n = Double(judgements.count)
    func mean(_ f: (Judgement) -> Double) -> Double { judgements.reduce(0) { $0 + f($1) } / n }
    heading = mean { $0.heading * $0.heading }.squareRoot()
    inclination = mean { $0.inclination * $0.inclination }.squareRoot()
    total = mean { $0.total * $0.total }.squareRoot()
    bias = mean { $0.heading }
    coverage = mean { abs($0.heading) <= $0.accuracy ? 1 : 0 }
    accuracy = mean { $0.accuracy }
    quantile = mean { Self.quantileScore(error: $0.heading, radius: $0.accuracy) }
    count = n
    let wrong = judgements.filter { abs($0.heading) > Self.largeError }
    large = Double(wrong.count)
    largeSaid = Double(wrong.filter { $0.accuracy > Self.largeError }.count)
  }
}

/// Means over several runs: errors by run, since each trial weighs the same, accuracy by sample.
struct Summary {
  let heading: Double
  let inclination: Double
  let total: Double
  let worstHeading: Double
  let coverage: Double
  let accuracy: Double
  let quantile: Double
  /// Fraction of samples in large error.
  let large: Double
  /// The fraction of those whose stated accuracy exceeds `largeError`; nil for no such sample.
  let largeSaid: Double?

  init(_ scores: [Score]) {
    let count = scores.reduce(0) { $0 + $1.count }
    func byRun(_ f: (Score) -> Double) -> Double {
      scores.reduce(0) { $0 + f($1) } / Double(scores.count)
    }
    func bySample(_ f: (Score) -> Double) -> Double {
      scores.reduce(0) { $0 + f($1) * $1.count } / count
    }
    heading = byRun(\.heading)
    inclination = byRun(\.inclination)
    total = byRun(\.total)
    worstHeading = scores.reduce(0) { max($0, $1.heading) }
    coverage = bySample(\.coverage)
    accuracy = bySample(\.accuracy)
    quantile = bySample(\.quantile)
    let wrong = scores.reduce(0) { $0 + $1.large }
    large = wrong / count
    largeSaid = wrong > 0 ? scores.reduce(0) { $0 + $1.largeSaid } / wrong : nil
  }
}

/// The scores of many trials, each changed by `change` just before its run and dropped after it,
/// since all at once would fill the memory.
func scores(
  _ trials: [Trial], _ parameters: StrapdownFilter.Parameters,
  change: @escaping @Sendable (Trial) -> Trial = { $0 }
) -> [Score] {
  parallel(trials.count) { Score(judge(change(trials[$0]), parameters)) }
}

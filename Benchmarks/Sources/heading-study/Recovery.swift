import Fusion
import RecordedTrials
import Study

/// The time that the filter needs from a wrong heading to one with an error below `nearly`.
enum Recovery {
  /// Degrees.
  static let nearly = 5.0

  /// Seconds after a turn that the gyroscope has missed, for six turns at each fraction of each
  /// trial.
  static func fromMissedTurn(
    _ trials: [Trial], _ parameters: StrapdownFilter.Parameters, at fractions: [Double]
  ) -> [Double] {
    let turns: [Double] = [-170, -90, -40, 20, 60, 120]
    let each = turns.count * fractions.count
    return parallel(trials.count * each) { n in
      let trial = trials[n / each]
      let fraction = fractions[(n % each) / turns.count]
      let changed = trial.missingTurn(degrees: turns[n % turns.count], at: fraction)
      // The turn itself takes a tenth of a second.
      let begin = fraction * trial.duration + 0.2
      let first = judge(changed, parameters).first {
        $0.seconds > begin && abs($0.heading) < nearly
      }
      return first.map { $0.seconds - begin } ?? .infinity
    }
  }

  /// Judged seconds after a first second in a turned field, for seven turns of each trial.
  static func fromTurnedFirstSecond(
    _ trials: [Trial], _ parameters: StrapdownFilter.Parameters, start: Double
  ) -> [Double] {
    let turns: [Double] = [-150, -90, -45, 45, 90, 150, 180]
    return parallel(trials.count * turns.count) { n in
      let trial = trials[n / turns.count].starting(at: start, grace: 0)
      let changed = trial.firstSecondTurned(degrees: turns[n % turns.count])
      // Standing still is not counted: a recording begins with rest, where nothing can be learnt.
      let first = judge(changed, parameters).firstIndex { abs($0.heading) < nearly }
      return first.map { Double($0) / trial.hertz } ?? .infinity
    }
  }
}

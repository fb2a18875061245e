import ArgumentParser
import CalibrationFit
import RecordedTrials
import Study

/// The calibration during use, from nothing.
struct OnlineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "online",
    abstract:
      "Seconds from the beginning of the motion to 5, 3 and 2 degrees, and changes for the worse.")

  @OptionGroup var options: StudyOptions

  /// The increase of the error from which a change counts as worse, degrees.
  private static let tolerance = 1.0
  /// The time within which the error has to decrease again, else the change is permanent, seconds.
  private static let recoveryTimeout = 60.0

  func run() throws {
    let data = try options.data()
    say(
      "Error on another trial, staying below; seconds, median (p90) of all runs; in parentheses how many never"
    )
    for place in options.places.list {
      say("")
      say("Place \(place.rawValue)")
      var table = TextTable(
        "trials", "runs", "to 5 degrees", "to 3", "to 2", "last error", "predicted", "where seen",
        "own trial, optical", "recorded field",
        "changes",
        "worse by more than 1", "worst growth", "of these stayed", "steps seen")
      for (title, names) in [
        ("rotation", StudyData.rotations), ("translation", StudyData.translations),
      ] + StudyData.disturbed.map({ ($0, [$0]) }) {
        let observed = try names.map { name in
          let trial = try data.trial(name)
          let start = trial.motionStart
          return (trial.name, start, trial.observations(from: start), try data.witness(of: name))
        }
        let draws = options.draws
        let runs = parallel(observed.count * draws) { n in
          let (name, start, observations, judge) = observed[n / draws]
          let k = n % draws
          let drawn = DrawnDistortion(
            seed: 900 * k + name.hashOfStudy, misalignment: k.isMultiple(of: 2) ? 0 : 5)
          return OnlineReplay(
            observations, from: start, prior: place.prior, drawn: drawn, judge: judge)
        }
        table.add(
          row(
            title, runs, down: try data.trial(names[0]).restingDown,
            judges: try names.map { HeadingJudge(try data.trial($0)) }))
      }
      table.showMarkdown()
    }
  }

  /// Of the worst attitude up to 45 degrees of tilt, degrees.
  private func predicted(_ calibration: CommittedCalibration, _ down: SIMD3<Double>) -> Double {
    HeadingErrorPrediction(calibration.estimate)?.worst(about: down).degrees ?? 180
  }

  private func row(
    _ title: String, _ runs: [OnlineReplay], down: SIMD3<Double>, judges: [HeadingJudge]
  ) -> [String] {
    func time(_ limit: Double) -> String {
      let times = runs.map { $0.settled(below: limit) }
      let never = times.filter(\.isInfinite).count
      return "\(word(quantile(times, 0.5), 0)) (\(word(quantile(times, 0.9), 0))); \(never)"
    }
    var growths: [Double] = []
    var stayed = 0
    for run in runs {
      for (n, change) in run.changes.enumerated().dropFirst() {
        let before = run.changes[n - 1].error
        guard change.error > before + Self.tolerance else { continue }
        growths.append(change.error - before)
        let isMended = run.changes[n...].contains {
          $0.at <= change.at + Self.recoveryTimeout && $0.error <= before + Self.tolerance
        }
        if !isMended { stayed += 1 }
      }
    }
    // The runs of a trial follow one another.
    let own = runs.enumerated().compactMap { n, run in
      (run.changes.last?.event.calibration?.estimate.distortion).map {
        judges[n / (runs.count / judges.count)].opticalError(of: $0, under: run.drawn)
      }
    }
    let last = runs.compactMap { $0.changes.last?.event.calibration }
    return [
      title, "\(runs.count)", time(5), time(3), time(2),
      spread(runs.compactMap { $0.changes.last?.error }), spread(last.map { predicted($0, down) }),
      spread(last.compactMap { $0.seenError?.degrees }), spread(own),
      judges.map { word($0.recordedOpticalError) }.joined(separator: " "),
      "\(runs.reduce(0) { $0 + $1.changes.count })", "\(growths.count)",
      growths.max().map { word($0, 1) } ?? "-", "\(stayed)",
      "\(runs.reduce(0) { $0 + $1.changes.filter(\.event.isStep).count })",
    ]
  }
}

import ArgumentParser
import CalibrationFit
import RecordedTrials
import Study

/// A piece of iron that is put on the board during calibration.
struct StepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "step",
    abstract: "The offset steps 60 s after the motion starts: time to detection and correction.")

  @OptionGroup var options: StudyOptions

  /// Seconds after the beginning of the motion.
  private static let instant = 60.0
  /// A run counts as corrected below this error, degrees.
  private static let limit = 5.0

  func run() throws {
    let data = try options.data()
    let observed = try StudyData.rotations.map { name in
      let trial = try data.trial(name)
      let start = trial.motionStart
      return (trial.name, start, trial.observations(from: start), try data.witness(of: name))
    }
    say(
      "Seconds after the step, median (p90) of all runs; in parentheses how many never. Error on another trial, degrees"
    )
    for place in options.places.list {
      say("")
      say("Place \(place.rawValue)")
      var table = TextTable(
        "step µT", "runs", "error after it", "noticed", "seconds to it", "seconds to 5 degrees",
        "never",
        "last error", "steps seen before it")
      let draws = options.draws
      for size in [0.0, 3, 8, 13, 25] {
        let runs = parallel(observed.count * draws) { n in
          let (name, start, observations, judge) = observed[n / draws]
          let k = n % draws
          let drawn = DrawnDistortion(
            seed: 900 * k + name.hashOfStudy, misalignment: k.isMultiple(of: 2) ? 0 : 5)
          var direction = Draws(seed: 31 * k + name.hashOfStudy)
          var stepped = drawn
          stepped.offset += direction.direction() * size
          return OnlineReplay(
            observations, from: start, prior: place.prior, drawn: drawn,
            step: (Self.instant, stepped), judge: judge)
        }
        table.add(row(size, runs))
      }
      table.showMarkdown()
    }
  }

  private func row(_ size: Double, _ runs: [OnlineReplay]) -> [String] {
    let noticed = runs.map { run in
      (run.changes.first { $0.at > Self.instant && $0.event.isStep }?.at ?? .infinity)
        - Self.instant
    }
    let corrected = runs.map { run -> Double in
      // A calibration that stays below the limit after the step needs no correction.
      let isGood = (run.errorAfterStep ?? .infinity) <= Self.limit
      let after = run.changes.filter { $0.at > Self.instant }
      if isGood, after.allSatisfy({ $0.error <= Self.limit }) { return 0 }
      return run.settled(below: Self.limit, after: Self.instant)
    }
    let early = runs.reduce(0) { sum, run in
      sum + run.changes.filter { $0.at <= Self.instant && $0.event.isStep }.count
    }
    return [
      word(size, 0), "\(runs.count)", spread(runs.compactMap(\.errorAfterStep)),
      "\(noticed.filter(\.isFinite).count)", spread(noticed), spread(corrected),
      "\(corrected.filter(\.isInfinite).count)", spread(runs.compactMap { $0.changes.last?.error }),
      "\(early)",
    ]
  }
}

import ArgumentParser
import CalibrationFit
import RecordedTrials
import Study

/// The fit of those observations only that were tilted little.
struct LimitedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limited",
    abstract: "Trained on tilts below 5, 15 and 30 degrees: the error near level and beyond.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    let data = try options.data()
    let observed = try StudyData.rotations.map { name in
      let trial = try data.trial(name)
      return (name: name, down: trial.restingDown, observations: trial.observations())
    }
    say(
      "Error and prediction (worst attitude), median (p90), degrees: up to 10 and up to 45 degrees of tilt"
    )
    for place in options.places.list {
      let fit = try options.fit(place)
      for misalignment in [0.0, 5] {
        say("")
        say("Place \(place.rawValue), misalignment \(word(misalignment, 0)) degrees")
        var table = TextTable(
          "tilt below", "trial", "observations", "yaw covered", "error to 10", "predicted",
          "error to 45", "predicted")
        for limit in [5.0, 15, 30] {
          var all: [FittedDraw] = []
          for one in observed {
            let some = one.observations.tilted(below: limit, from: one.down)
            let fits = parallel(options.draws) { k in
              FittedDraw(
                some,
                DrawnDistortion(seed: 500 * k + one.name.hashOfStudy, misalignment: misalignment),
                fit, down: one.down,
                judges: data.judges(except: one.name))
            }.compactMap { $0 }
            all += fits
            table.add(
              [word(limit, 0), one.name, "\(some.count)", word(some.yawCovered, 0)] + cells(fits))
          }
          table.add([word(limit, 0), "all", "", ""] + cells(all))
        }
        table.showMarkdown()
      }
    }
  }

  private func cells(_ fits: [FittedDraw]) -> [String] {
    [
      spread(fits.flatMap(\.nearErrors)), spread(fits.map(\.nearPredicted)),
      spread(fits.flatMap(\.errors)), spread(fits.map(\.predicted)),
    ]
  }
}

import ArgumentParser
import CalibrationFit
import Study

/// The fit of whole trials, by the trial that was trained on.
struct TrialsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trials",
    abstract: "Heading error on the other undisturbed trials, by the trial that was fitted.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    let data = try options.data()
    let observed = try StudyData.undisturbed.map { name in
      let trial = try data.trial(name)
      return (name: name, down: trial.restingDown, observations: trial.observations())
    }
    say(
      "Heading error on the other undisturbed trials up to 45 degrees of tilt, median (p90), degrees"
    )
    for place in options.places.list {
      let fit = try options.fit(place)
      for misalignment in [0.0, 5] {
        say("")
        say("Place \(place.rawValue), misalignment \(word(misalignment, 0)) degrees")
        let draws = options.draws
        let fits = parallel(observed.count * draws) { n -> (String, FittedDraw?) in
          let (name, down, observations) = observed[n / draws]
          let drawn = DrawnDistortion(
            seed: 100 * (n % draws) + name.hashOfStudy, misalignment: misalignment)
          return (
            name,
            FittedDraw(
              observations, drawn, fit, down: down,
              judges: data.judges(except: name))
          )
        }
        show(fits)
      }
    }
  }

  private func show(_ fits: [(name: String, fit: FittedDraw?)]) {
    var table = TextTable(
      "fitted on", "observations", "error", "worst", "predicted", "residual µT", "latency ms",
      "H µT",
      "Z µT", "inliers %")
    func row(_ title: String, _ names: [String]) {
      let some = fits.filter { names.contains($0.name) }.compactMap(\.fit)
      let errors = some.flatMap(\.errors)
      let estimates = some.map(\.solution.estimate)
      table.add([
        title, middle(estimates.map { Double($0.observationCount) }, 0), spread(errors),
        word(errors.max() ?? .nan), spread(some.map(\.predicted)),
        middle(estimates.map(\.residualMicrotesla)),
        middle(estimates.compactMap(\.latencySeconds).map { 1000 * $0 }, 1),
        middle(estimates.map(\.earthField.horizontal), 1),
        middle(estimates.map(\.earthField.down), 1),
        middle(estimates.map { 100 * $0.inlierShare }, 0),
      ])
    }
    for name in StudyData.undisturbed { row(name, [name]) }
    row("rotation", StudyData.rotations)
    row("translation", StudyData.translations)
    table.showMarkdown()
    let refused = fits.filter { $0.fit == nil }.count
    if refused > 0 { say("refused: \(refused) of \(fits.count)") }
  }
}

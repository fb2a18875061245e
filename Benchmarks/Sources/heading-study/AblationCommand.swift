import ArgumentParser
import Fusion
import RecordedTrials
import Study

/// The effect of each part of the filter: the errors of the filter without it.
struct AblationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ablation",
    abstract: "Switches off each part of the filter in turn.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    let parameters = try options.parameters()
    let recorded = try options.trials()
    let trials = turned(recorded, to: options.turns.degrees)
    say("Means of all runs, degrees; starts in motion, magnets: heading")
    say(
      "Missed turn: median and worst seconds until the heading is right, and how many never are"
    )
    var table = TextTable(
      "without", "heading", "worst", "incl.", "cover %", "accuracy", "quantile", "start", "magnet",
      "missed", "worst", "never")
    table.add(row("nothing", trials, recorded, parameters))
    for ablation in Ablation.all {
      var changed = parameters
      ablation.remove(&changed)
      table.add(row(ablation.name, trials, recorded, changed))
    }
    table.show()
  }

  private func row(
    _ name: String, _ trials: [Trial], _ recorded: [Trial],
    _ parameters: StrapdownFilter.Parameters
  ) -> [String] {
    let plain = Summary(scores(trials, parameters))
    func heading(_ changes: [Change]) -> Double {
      Summary(changes.flatMap { scores(recorded, parameters, change: $0.apply) }).heading
    }
    let missed = Recovery.fromMissedTurn(recorded, parameters, at: [0.5])
    return [
      name, word(plain.heading), word(plain.worstHeading), word(plain.inclination),
      percent(plain.coverage), word(plain.accuracy), word(plain.quantile),
      word(heading(Change.starts)), word(heading(Change.magnets)), word(median(missed), 1),
      word(missed.max() ?? 0, 1), "\(missed.filter(\.isInfinite).count)",
    ]
  }
}

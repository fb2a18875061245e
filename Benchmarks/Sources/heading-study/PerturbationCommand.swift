import ArgumentParser
import Fusion
import Study

/// Every parameter a fifth smaller and a fifth larger: a tuning that stands on a needle's point
/// shows so.
struct PerturbationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "perturbation",
    abstract: "Changes every parameter by a fifth; exit status 1 where a run changes too far.")

  /// The largest permitted change of a run's heading, degrees.
  static let limit = 1.0

  @OptionGroup var options: StudyOptions

  func run() throws {
    try TunedParameter.checkTable()
    let parameters = try options.parameters()
    let turns = options.turns.degrees
    let trials = try options.turnedTrials()
    let base = scores(trials, parameters)
    let mean = Summary(base)
    say("Means of all runs and the largest change of one run's heading, degrees")
    var table = TextTable("parameter", "times", "heading", "incl.", "change", "trial", "turned")
    table.add(["none", "", word(mean.heading), word(mean.inclination), "", "", ""])
    var worst = (change: 0.0, name: "none")
    var beyond = 0
    for parameter in TunedParameter.all {
      for factor in [0.8, 1.2] {
        var changed = parameters
        changed[keyPath: parameter.path] *= factor
        let runs = scores(trials, changed)
        let changes = zip(runs, base).map { $0.heading - $1.heading }
        let n = changes.indices.max { abs(changes[$0]) < abs(changes[$1]) } ?? 0
        let summary = Summary(runs)
        table.add([
          parameter.name, word(factor, 1), word(summary.heading), word(summary.inclination),
          word(changes[n]), trials[n].name, word(turns[n % turns.count], 0),
        ])
        if abs(changes[n]) > abs(worst.change) {
          worst = (
            changes[n], "\(parameter.name) times \(word(factor, 1)), trial \(trials[n].name)"
          )
        }
        if abs(changes[n]) > Self.limit { beyond += 1 }
      }
    }
    table.show()
    say("")
    say("worst of all: \(word(worst.change)) degrees by \(worst.name)")
    if beyond > 0 {
      say("\(beyond) changes of a parameter move a run by more than \(word(Self.limit, 0)) degree")
      throw ExitCode(1)
    }
  }
}

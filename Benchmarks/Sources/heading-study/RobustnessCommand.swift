import ArgumentParser
import Fusion
import RecordedTrials
import Study

/// The filter on trials that are changed by what may befall a body or a board.
struct RobustnessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "robustness",
    abstract: "Errors on changed trials against those on the plain ones, and recovery times.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    let parameters = try options.parameters()
    let recorded = try options.trials()
    let trials = turned(recorded, to: options.turns.degrees)
    say("Means of all runs, degrees; growth of the whole error against plain")
    var table = TextTable(
      "change", "heading", "worst", "incl.", "whole", "growth %", "cover %", "accuracy", "quantile",
      ">8 deg %", "said %")
    let plain = Summary(scores(trials, parameters))
    table.add(row("plain", plain, against: plain))
    for change in Change.all {
      let summary = Summary(scores(trials, parameters, change: change.apply))
      table.add(row(change.name, summary, against: plain))
    }
    table.show()
    say("")
    say("Seconds until the heading is right to \(word(Recovery.nearly, 0)) degrees")
    showRecovery(recorded, parameters)
  }

  private func row(_ name: String, _ s: Summary, against plain: Summary) -> [String] {
    [
      name, word(s.heading), word(s.worstHeading), word(s.inclination), word(s.total),
      percent(s.total / plain.total - 1, 0), percent(s.coverage), word(s.accuracy),
      word(s.quantile), percent(s.large), s.largeSaid.map { percent($0) } ?? "none",
    ]
  }

  private func showRecovery(_ trials: [Trial], _ parameters: StrapdownFilter.Parameters) {
    var table = TextTable("from", "median", "worst", "never", "runs")
    func add(_ name: String, _ seconds: [Double]) {
      table.add([
        name, word(median(seconds), 1), word(seconds.max() ?? 0, 1),
        "\(seconds.filter(\.isInfinite).count)", "\(seconds.count)",
      ])
    }
    // Apart as well: after 70 % of a trial some 20 s of motion are left to recover in.
    var missed: [Double] = []
    for fraction in [0.3, 0.5, 0.7] {
      let seconds = Recovery.fromMissedTurn(trials, parameters, at: [fraction])
      add("missed turn at \(percent(fraction, 0)) %", seconds)
      missed += seconds
    }
    add("missed turn, all", missed)
    for start in [0, 0.3, 0.5] {
      add(
        "turned first second, start at \(percent(start, 0)) %",
        Recovery.fromTurnedFirstSecond(trials, parameters, start: start))
    }
    table.show()
  }
}

import ArgumentParser
import Fusion
import Study

/// The filter on every trial at every azimuth.
struct TrialsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trials",
    abstract: "Errors, coverage and accuracy by trial, and how good the stated accuracy is.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    let parameters = try options.parameters()
    let turns = options.turns.degrees
    let trials = try options.turnedTrials()
    let runs = parallel(trials.count) { n -> (score: Score, errors: [Double]) in
      let judgements = judge(trials[n], parameters)
      return (Score(judgements), judgements.map { abs($0.heading) })
    }
    let scores = runs.map(\.score)
    let azimuths = turns.map { word($0, 0) }
    // A name before the first azimuth stands for those that follow.
    func group(_ name: String) -> [String] { ["\(name) \(azimuths[0])"] + azimuths.dropFirst() }
    var table = TextTable(
      header: ["trial"] + group("heading") + ["mean", "incl."] + group("bias") + group("cover %")
        + group("accuracy"))
    for first in stride(from: 0, to: scores.count, by: turns.count) {
      let row = Array(scores[first..<(first + turns.count)])
      let mean = Summary(row)
      table.add(
        [trials[first].name] + row.map { word($0.heading) }
          + [word(mean.heading), word(mean.inclination)] + row.map { word($0.bias) }
          + row.map { percent($0.coverage, 0) } + row.map { word($0.accuracy, 1) })
    }
    say("Root mean square errors in degrees, by azimuth that the trial is turned to")
    table.show()
    showMeans(Summary(scores), errors: runs.flatMap(\.errors))
  }

  private func showMeans(_ mean: Summary, errors: [Double]) {
    say("")
    var table = TextTable("means", "")
    table.add(["heading, degrees", word(mean.heading)])
    table.add(["worst run's heading, degrees", word(mean.worstHeading)])
    table.add(["inclination, degrees", word(mean.inclination)])
    table.add(["whole error, degrees", word(mean.total)])
    table.add(["within the stated accuracy, %", percent(mean.coverage)])
    table.add(["stated accuracy, degrees", word(mean.accuracy)])
    // The best that one number for all samples could do, were it known beforehand.
    let sorted = errors.sorted()
    let constant = sorted[min(sorted.count - 1, Int(0.95 * Double(sorted.count)))]
    let best = sorted.reduce(0) { $0 + Score.quantileScore(error: $1, radius: constant) }
    table.add(["quantile score, degrees", word(mean.quantile)])
    table.add([
      "that of the best constant (\(word(constant)))", word(best / Double(sorted.count)),
    ])
    table.add([
      "in error by more than \(word(Score.largeError, 0)) degrees, %", percent(mean.large, 2),
    ])
    table.add([
      "of these with a larger stated accuracy, %", mean.largeSaid.map { percent($0) } ?? "none",
    ])
    table.show()
  }
}

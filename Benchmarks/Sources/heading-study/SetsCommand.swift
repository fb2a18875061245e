import ArgumentParser
import Foundation
import Fusion
import Quantities
import RecordedTrials
import Study

/// The estimator on every set of recorded trials and every stress variant, beside VQF.
struct SetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sets",
    abstract: "Errors, accuracy, lost trials and lies by group, beside VQF.",
    discussion: "FOLDER is what Benchmarks/trials.py has written. Scored as score_phones.py scores."
  )

  @Argument(help: "The folder of prepared trials.")
  var folder: String

  @Option(parsing: .upToNextOption, help: "Only trials whose group or file holds one of these.")
  var only: [String] = []

  @Flag(help: "A line for each trial.")
  var each = false

  @Option(
    name: .customLong("set"), parsing: .upToNextOption,
    help: "Parameters of StrapdownFilter as name=value.")
  var settings: [String] = []

  func run() throws {
    let parameters = try tunedParameters(settings)
    let listed = try PreparedTrial.list(folder, only: only)
    let scores = try SetScore.all(listed, folder: folder, parameters)
    if each { showEach(scores) }
    var table = TextTable(
      "group", "n", "heading", "incl.", "worst", "cover", "says", "lost", "lies", "VQF", "incl.",
      "lost", "ratio", "score", "constant")
    for group in listed.map(\.group).uniqued {
      table.add(row(group, scores.filter { $0.trial.group == group }))
    }
    table.show()
  }

  private func showEach(_ scores: [SetScore]) {
    var table = TextTable(
      "trial", "heading", "incl.", "cover", "says", "lost", "lies", "VQF", "incl.")
    for s in scores {
      table.add([
        s.trial.file, word(s.heading), word(s.inclination), word(s.coverage, 3),
        word(s.accuracy, 1), s.isLost ? "lost" : "", s.isLie ? "lie" : "",
        word(s.trial.peerHeading), word(s.trial.peerInclination),
      ])
    }
    table.show()
    say("")
  }

  private func row(_ group: String, _ scores: [SetScore]) -> [String] {
    func mean(_ f: (SetScore) -> Double) -> Double {
      scores.reduce(0) { $0 + f($1) } / Double(scores.count)
    }
    let peer = mean(\.trial.peerHeading)
    let judged = scores.flatMap(\.judged)
    let sorted = judged.map(\.error).sorted()
    let constant = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    let count = Double(max(1, judged.count))
    let own = judged.reduce(0) { $0 + Score.quantileScore(error: $1.error, radius: $1.radius) }
    let best = sorted.reduce(0) { $0 + Score.quantileScore(error: $1, radius: constant) }
    return [
      group, "\(scores.count)", word(mean(\.heading)), word(mean(\.inclination)),
      word(scores.map(\.heading).max() ?? 0, 1), word(mean(\.coverage), 3),
      word(mean(\.accuracy), 1), "\(scores.filter(\.isLost).count)",
      "\(scores.filter(\.isLie).count)", word(peer), word(mean(\.trial.peerInclination)),
      "\(scores.filter(\.trial.isPeerLost).count)", word(mean(\.heading) / peer),
      word(own / count, 1), word(best / count, 1),
    ]
  }
}

extension Array where Element: Hashable {
  /// Each element once, in the order of its first.
  fileprivate var uniqued: [Element] {
    var seen = Set<Element>()
    return filter { seen.insert($0).inserted }
  }
}

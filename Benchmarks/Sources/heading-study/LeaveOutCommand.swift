import ArgumentParser
import Fusion
import Study

/// Chooses parameters without one set, and evaluates them on that set.
struct LeaveOutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave-out",
    abstract: "Tunes on all sets but one and tests on that one, for each set.",
    discussion: """
      FOLDER is the output of Benchmarks/trials.py; its stress variants are not used. The score of a set is the \
      mean of heading error over VQF's, by group and then over the groups.
      """)

  @Argument(help: "The folder of prepared trials.")
  var folder: String

  @Option(
    parsing: .upToNextOption,
    help: "Values to choose from, as name=a,b,c; all combinations are run.")
  var grid: [String]

  /// One combination of values, with its score on each set.
  private struct Candidate {
    var settings: [String] = []
    var scores: [String: Double] = [:]

    func mean(without left: String) -> Double {
      let others = scores.filter { $0.key != left }.values
      return others.reduce(0, +) / Double(others.count)
    }
  }

  func run() throws {
    let trials = try PreparedTrial.list(folder).filter { $0.set != "stress" }
    var candidates = [Candidate()]
    for line in grid {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { throw StudyError("--grid \(line): expected name=a,b,c") }
      candidates = candidates.flatMap { candidate in
        parts[1].split(separator: ",").map { value in
          Candidate(settings: candidate.settings + ["\(parts[0])=\(value)"])
        }
      }
    }
    for i in candidates.indices {
      candidates[i].scores = try scores(trials, tunedParameters(candidates[i].settings))
      say("\(i + 1) of \(candidates.count): \(line(candidates[i]))")
    }
    let own = try scores(trials, StrapdownFilter.Parameters())
    var table = TextTable("left out", "chosen without it", "its score", "best for it", "default")
    for left in own.keys.sorted() {
      guard
        let chosen = candidates.min(by: { $0.mean(without: left) < $1.mean(without: left) }),
        let score = chosen.scores[left], let best = candidates.compactMap({ $0.scores[left] }).min()
      else { continue }
      table.add([
        left, chosen.settings.joined(separator: " "), word(score), word(best),
        word(own[left] ?? .nan),
      ])
    }
    table.show()
  }

  private func line(_ candidate: Candidate) -> String {
    let scores = candidate.scores.sorted { $0.key < $1.key }
    return candidate.settings.joined(separator: " ") + ": "
      + scores.map { "\($0.key) \(word($0.value))" }.joined(separator: ", ")
  }

  private func scores(
    _ trials: [PreparedTrial], _ parameters: StrapdownFilter.Parameters
  ) throws -> [String: Double] {
    let scores = try SetScore.all(trials, folder: folder, parameters)
    return Dictionary(grouping: scores, by: \.trial.set).compactMapValues { ofSet in
      let groups = Dictionary(grouping: ofSet, by: \.trial.group).values.map { group in
        let known = group.filter { $0.trial.peerHeading > 0 }
        return known.reduce(0) { $0 + $1.heading } / known.reduce(0) { $0 + $1.trial.peerHeading }
      }
      return groups.reduce(0, +) / Double(groups.count)
    }
  }
}

import ArgumentParser
import Foundation
import Fusion
import Quantities
import RecordedTrials
import Study

/// The states of motion of recorded walks, runs, hands and drives.
struct MotionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion",
    abstract: "Share of the time in each state of motion: recordings of SHARED/data and tracks.")

  @Option(help: "The folder shared.")
  var shared: String?
  @Argument(help: "Tracks: CSV files with t, lat, lon and speed (drive.py's).")
  var files: [String] = []

  func run() throws {
    print("share of the time (with a probability of 0.8 and more); last: unknown")
    if let shared {
      for (set, suffix) in [("phones", ".csv.gz"), ("broad", ".bin"), ("tstick", ".bin")] {
        let folder = shared + "/data/" + set + "/"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
          .filter { $0.hasSuffix(suffix) }.sorted()
        for name in names {
          let trial =
            suffix == ".bin"
            ? try Trial(path: folder + name) : try Trial(packedTable: folder + name, name: name)
          inertial(trial, String(name.dropLast(suffix.count)))
        }
      }
    }
    for file in files { try track(file) }
  }

  private func inertial(_ trial: Trial, _ name: String) {
    var estimator = MotionStateEstimator()
    var shares = Shares()
    for i in 0..<trial.count {
      let sample = trial.inertial(i)
      estimator.update(sample)
      shares.add(estimator.solution(at: sample.timestamp), at: sample.timestamp)
    }
    shares.report(name)
  }

  /// As the pipeline does: the position filter says whether the body stands.
  private func track(_ file: String) throws {
    var (filter, estimator) = (PositionFilter(), MotionStateEstimator())
    var shares = Shares()
    for fix in try DriveRow.rows(file).compactMap(\.fix) {
      filter.update(fix)
      guard let solution = filter.solution(at: fix.timestamp),
        solution.fixTimestamp == fix.timestamp
      else { continue }
      let given = solution.isStanding ? 0 : fix.speedMetresPerSecond
      estimator.update(
        speedMetresPerSecond: given ?? solution.speedMetresPerSecond,
        accuracy: given == nil ? solution.speedAccuracyMetresPerSecond : nil, at: fix.timestamp)
      shares.add(estimator.solution(at: fix.timestamp), at: fix.timestamp)
    }
    shares.report(file.split(separator: "/").last.map(String.init) ?? file)
  }

  /// Seconds in each state.
  private struct Shares {
    private var seconds: [MotionState?: (all: Double, certain: Double)] = [:]
    private var total = 0.0
    private var changes = 0
    private var last: (state: MotionState?, at: Timestamp)?

    mutating func add(_ solution: MotionSolution?, at t: Timestamp) {
      defer { last = (solution?.state, t) }
      guard let last else { return }
      let dt = min(t.seconds(since: last.at), 60)
      total += dt
      seconds[solution?.state, default: (0, 0)].all += dt
      if solution?.probability ?? 0 >= Estimate.certainMotionProbability {
        seconds[solution?.state, default: (0, 0)].certain += dt
      }
      if solution?.state != last.state { changes += 1 }
    }

    func report(_ name: String) {
      let states = MotionState.allCases.map(Optional.some) + [nil]
      let cells = states.map { state in
        let part = seconds[state] ?? (0, 0)
        return part.all == 0
          ? ""
          : String(
            format: "%@ %.2f (%.2f)", state?.rawValue ?? "unknown", part.all / total,
            part.certain / total)
      }
      print(
        name + ": " + cells.filter { !$0.isEmpty }.joined(separator: ", ") + "; \(changes) changes")
    }
  }
}

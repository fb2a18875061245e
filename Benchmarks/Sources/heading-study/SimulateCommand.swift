import ArgumentParser
import Foundation
import Fusion
import Quantities
import RecordedTrials
import Simulation
import Study

/// The simulator as a set of trials: what `trials.py` adds to the recorded ones.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Writes simulated boards as prepared trials.",
    discussion: "Prints a line for each: the file's name and its group."
  )

  @Argument(help: "The folder to write to.")
  var folder: String

  @Option(help: "Seconds of each trial; the first 20 are not judged.")
  var seconds = 180.0

  @Option(help: "Worlds of each scenario.")
  var seeds: UInt64 = 4

  func run() throws {
    guard seconds > 20, seconds <= 86_400, (1...100).contains(seeds) else {
      throw ValidationError("--seconds takes 20 to 86400, --seeds 1 to 100")
    }
    for scenario in Scenario.library where scenario.calibration == .assumed {
      for seed in 1...seeds {
        let name = scenario.name.replacingOccurrences(of: " ", with: "-")
        let file = "simulated-\(name)-\(seed).trial"
        try trial(scenario, seed: seed).write(to: URL(fileURLWithPath: folder + "/" + file))
        say("\(file),simulator \(scenario.name)")
      }
    }
  }

  private func trial(_ scenario: Scenario, seed: UInt64) throws -> Data {
    guard let start = UTCTime(year: 2026, month: 5, day: 1, hour: 12) else {
      throw StudyError("no such date")
    }
    var world = try SimulatedWorld(scenario: scenario, seed: seed, startUTC: start)
    var rows: [[Double]] = []
    while let sample = world.next(), sample.timestamp.seconds < seconds {
      let t = sample.timestamp.seconds
      switch sample {
      case .inertial(let inertial):
        guard let w = inertial.angularRate?.components, let f = inertial.specificForce?.components
        else { continue }
        let q = Trial.optical(world.truth(at: sample.timestamp).magneticAttitude)
        rows.append([t, w.x, w.y, w.z, f.x, f.y, f.z, .nan, .nan, .nan] + q + [t > 20 ? 1 : 0, 0])
      case .field(let field):
        // The magnetometer is read with every other inertial sample, at the same instant.
        guard let last = rows.indices.last, rows[last][0] == t else {
          throw StudyError("\(scenario.name): a field sample without an inertial one at \(t) s")
        }
        let m = field.field.components
        (rows[last][7], rows[last][8], rows[last][9]) = (m.x, m.y, m.z)
      case .pressure, .fix, .heading: continue
      }
    }
    return PreparedTrial.encoded(rows)
  }
}

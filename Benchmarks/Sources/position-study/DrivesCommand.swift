import ArgumentParser
import Foundation
import Fusion
import Quantities
import Study

/// Recorded drives: fixes withheld one in five, and outages.
struct DrivesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drives", abstract: "Withheld fixes of recorded drives (drive.py's CSV).")

  @Flag(help: "The large errors.")
  var verbose = false
  @Argument(help: "Sensor CSV files.")
  var files: [String]
  @Option(help: "Acceleration noise, m/s²·√s.")
  var noise = PositionFilter.Parameters().accelerationNoise
  @Option(help: "Memory of the velocity, s.")
  var memory = PositionFilter.Parameters().velocityMemory
  @Option(help: "Usual speed, m/s.")
  var speed = PositionFilter.Parameters().usualSpeed
  @Option(help: "Share of the accuracy that is new in each fix.")
  var share = PositionFilter.Parameters().newErrorShare
  @Option(help: "Error of a velocity without a stated one, m/s.")
  var velocity = PositionFilter.Parameters().unstatedVelocitySigma
  @Option(help: "Correlation time of the receiver's error, s.")
  var correlation = PositionFilter.Parameters().receiverErrorTime

  func run() throws {
    for file in files {
      let fixes = try DriveRow.rows(file).compactMap(\.fix)
      print(file, fixes.count, "fixes")
      oneInFive(fixes)
      for length in [30.0, 60] { outages(fixes, Windows(length: length, period: 4 * length)) }
    }
  }

  private var parameters: PositionFilter.Parameters {
    var p = PositionFilter.Parameters()
    (p.accelerationNoise, p.velocityMemory, p.usualSpeed) = (noise, memory, speed)
    (p.newErrorShare, p.unstatedVelocitySigma, p.receiverErrorTime) = (share, velocity, correlation)
    return p
  }

  private func oneInFive(_ fixes: [Fix]) {
    var filter = PositionFilter(parameters: parameters)
    var (ours, held, straight): ([Double], [Double], [Double]) = ([], [], [])
    var hits = 0
    var last: Fix?
    for (i, fix) in fixes.enumerated() {
      guard i % 5 == 4, let last, let place = fix.position, let before = last.position,
        let solution = filter.solution(at: fix.timestamp),
        let carried = last.carried(to: fix.timestamp)
      else {
        filter.update(fix)
        last = fix
        continue
      }
      let error = distance(solution.position, place)
      hits += error <= solution.horizontalAccuracyMetres ? 1 : 0
      ours.append(error)
      held.append(distance(before, place))
      straight.append(distance(carried, place))
      if verbose, error > 15 {
        print(
          "   ", fix.timestamp.seconds, "s:", error, "m, last velocity", straight.last ?? 0, "m")
      }
    }
    print(
      String(
        format: "  one in five: RMS %.2f m; last fix %.2f; last velocity %.2f; coverage %.2f",
        rootMeanSquare(ours), rootMeanSquare(held), rootMeanSquare(straight),
        Double(hits) / Double(ours.count)))
  }

  private func outages(_ fixes: [Fix], _ windows: Windows) {
    var filter = PositionFilter(parameters: parameters)
    var (ends, straight): ([Double], [Double]) = ([], [])
    var (hits, count) = (0, 0)
    var last: Fix?
    for (i, fix) in fixes.enumerated() {
      guard windows.contains(fix.timestamp.seconds), let last, let place = fix.position else {
        filter.update(fix)
        last = fix
        continue
      }
      guard let solution = filter.solution(at: fix.timestamp),
        let carried = last.carried(to: fix.timestamp)
      else { continue }
      let error = distance(solution.position, place)
      hits += error <= solution.horizontalAccuracyMetres ? 1 : 0
      count += 1
      guard i + 1 == fixes.count || !windows.contains(fixes[i + 1].timestamp.seconds) else {
        continue
      }
      ends.append(error)
      straight.append(distance(carried, place))
    }
    print(
      String(
        format:
          "  %2.0f s: %3d outages, RMS %.1f m (last velocity %.1f), median %.1f (%.1f), coverage %.2f",
        windows.length, ends.count, rootMeanSquare(ends), rootMeanSquare(straight),
        quantile(ends, 0.5), quantile(straight, 0.5), Double(hits) / Double(max(1, count))))
  }
}

import Fusion
import RecordedTrials

/// The quantity that the tuning minimises: errors on the plain trials, and with half their weight
/// on starts in motion and with magnets, so that no parameter improves the plain trials at their
/// cost.
struct Objective: Sendable {
  private let plain: [Trial]
  private let hard: [Trial]

  init(_ recorded: [Trial], turns: [Double]) {
    plain = turned(recorded, to: turns)
    // Azimuths apart from each other, so that the hard runs favour none.
    let starts: [(azimuth: Double, fraction: Double)] = [
      (45, 0.3), (90, 0.5), (315, 0.4), (180, 0.6),
    ]
    let magnets: [(azimuth: Double, change: Change)] = Array(zip([60, 200, 300], Change.magnets))
    hard =
      starts.flatMap { start in
        turned(recorded, to: [start.azimuth]).map {
          $0.starting(at: start.fraction, grace: Change.grace).first(seconds: 70)
        }
      }
      + magnets.flatMap { magnet in
        turned(recorded, to: [magnet.azimuth]).map { magnet.change.apply($0) }
      }
  }

  func cost(_ parameters: StrapdownFilter.Parameters) -> Double {
    let all = plain + hard
    let costs = scores(all, parameters).enumerated().map { n, score in
      (n < plain.count ? 1 : 0.5) * Self.error(score) + 0.05 * min(score.quantile, 40)
    }
    return costs.reduce(0, +) / Double(costs.count)
  }

  /// Large headings count more than in proportion, to a bound: one lost run is not to rule the
  /// search.
  private static func error(_ score: Score) -> Double {
    let heading = min(score.heading, 32)
    return heading + 0.5 * score.inclination + 0.03 * max(0, heading - 4) * heading
  }
}

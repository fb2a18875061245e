import Foundation
import Monitoring
import TestSupport
import Testing

/// Crossings of random circles on recorded drives, and receivers that stood on an edge.
///
/// `LODESTAR_CIRCLES=60 swift test --filter RecordedCrossingTests` tries more circles, and prints the
/// figures also of the dwell alone.
@Suite(
  "Crossings by recorded tracks",
  .enabled(if: SharedData.has("data/drives", "data/gnss", "data/vehicles"), "no reference data"),
  .timeLimit(.minutes(30)))
struct RecordedCrossingTests {
  private static let wanted =
    ProcessInfo.processInfo.environment["LODESTAR_CIRCLES"].flatMap(Int.init)
  private static let circles = wanted ?? 6
  private static let radii = [50.0, 100, 150, 300]

  private static func score(
    _ tracks: [RecordedTrack], interval: Double, sigma: Double, hasVelocity: Bool,
    hasPassages: Bool = true
  ) -> CrossingTrial.Score {
    var sum = CrossingTrial.Score()
    var tuning = MonitoringConfiguration()
    if !hasPassages { tuning.travelSpeed = .greatestFiniteMagnitude }
    for track in tracks {
      for radius in radii {
        var trial = CrossingTrial(radiusMetres: radius)
        (trial.intervalSeconds, trial.addedSigma) = (interval, sigma)
        (trial.hasVelocity, trial.circles) = (hasVelocity, circles)
        sum = sum + trial.run(track, tuning)
      }
    }
    let rule = hasPassages ? "passages" : "dwell alone"
    print("\(interval) s, added \(sigma) m, velocity \(hasVelocity), \(rule): \(sum)")
    return sum
  }

  @Test(
    "the share of clear crossings found is at least the limit of the interval, none is found twice",
    arguments: [(1.0, 0.97), (5, 0.96), (10, 0.93), (20, 0.72), (30, 0.65)])
  func found(_ interval: Double, _ share: Double) throws {
    let tracks = RecordedTrack.names.compactMap(RecordedTrack.init)
    try #require(tracks.count == RecordedTrack.names.count)
    for sigma in [0.0, 10] {
      for hasVelocity in [true, false] {
        let score = Self.score(
          tracks, interval: interval, sigma: sigma, hasVelocity: hasVelocity)
        if Self.wanted != nil {
          _ = Self.score(
            tracks, interval: interval, sigma: sigma, hasVelocity: hasVelocity, hasPassages: false)
        }
        // Poorer fixes find less.
        let least = share - (sigma > 0 ? 0.06 : 0) - (hasVelocity ? 0 : interval / 200)
        #expect(Double(score.found) >= least * Double(score.expected), "\(score)")
        #expect(score.wrong <= 3 + score.expected / 100 && score.doubled == 0, "\(score)")
        // Half of the errors are below a sixth of the interval.
        let error = CrossingTrial.Score.percentile(score.errors, 0.5)
        #expect(error < 0.5 + interval / 6 + sigma / 10, "\(score)")
      }
    }
  }

  @Test("a receiver that stands on an edge for an hour reports no crossing", arguments: [1, 10])
  func standing(_ interval: Int) throws {
    let stands = RecordedStand.all()
    try #require(!stands.isEmpty)
    for stand in stands {
      for radius in Self.radii {
        for hasSpeed in [true, false] {
          var trial = StandingTrial(radiusMetres: radius, intervalSeconds: interval)
          trial.hasSpeed = hasSpeed
          let count = trial.crossings(stand.fixes, MonitoringConfiguration())
          #expect(count == 0, "\(stand.name) \(radius) m")
        }
      }
    }
  }
}

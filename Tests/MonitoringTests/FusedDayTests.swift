import Foundation
import Fusion
import Monitoring
import Quantities
import SimulatedDays
import Testing

/// The simulated days with fixes that passed through the position filter, as the daemon gives them
/// to monitoring.
///
/// `LODESTAR_DAYS=30 swift test --filter FusedDayTests` runs 720 days, 24 of each seed, and prints
/// how many were right.
@Suite("A simulated day through the position filter", .timeLimit(.minutes(30)))
struct FusedDayTests {
  private static let seeds =
    ProcessInfo.processInfo.environment["LODESTAR_DAYS"].flatMap(UInt64.init) ?? 1

  /// Days of every kind: reflections, gaps, interval, speed.
  private static var days: [SimulatedDay.Options] {
    (1...seeds).flatMap { seed in
      SimulatedDay.Multipath.allCases.flatMap { multipath in
        [(true, 10), (true, 30), (false, 10), (false, 30)].flatMap { hasGaps, interval in
          [true, false].map { hasSpeed in
            var options = SimulatedDay.Options(seed: seed * 155)
            (options.multipath, options.hasGaps, options.hasSpeed) = (multipath, hasGaps, hasSpeed)
            options.intervalSeconds = interval
            return options
          }
        }
      }
    }
  }

  @Test("as many days have all crossings and visits as with the receiver's own fixes")
  func fused() {
    var (raw, fused) = (Score(), Score())
    for options in Self.days {
      let day = SimulatedDay(options)
      raw.add(day, options, day.fixes)
      fused.add(day, options, Self.fuse(day.fixes))
    }
    print("days \(raw.days): raw \(raw), fused \(fused)")
    // One day in a hundred by chance.
    let chance = 1 + raw.days / 100
    #expect(fused.crossings >= raw.crossings - chance && fused.visits >= raw.visits - chance)
  }

  private struct Score: CustomStringConvertible {
    var (days, crossings, visits) = (0, 0, 0)
    var description: String { "crossings \(crossings) visits \(visits)" }

    mutating func add(
      _ day: SimulatedDay, _ options: SimulatedDay.Options, _ fixes: [PlaceFix]
    ) {
      var monitor = DayWords.monitor()
      for fix in fixes { monitor.process(fix) }
      // The bridge is crossed too fast for a fix in half a minute.
      func counts(_ word: String) -> Bool {
        options.intervalSeconds <= 10 || !word.hasSuffix("bridge")
      }
      let words = monitor.pending.compactMap(DayWords.crossing).filter(counts)
      let visits = monitor.pending.compactMap(DayWords.visit)
      days += 1
      crossings += words == SimulatedDay.crossingWords.filter(counts) ? 1 : 0
      let pattern = [true, false, true, false, true, false, true]
      self.visits += visits.map({ $0.departure == nil }) == pattern ? 1 : 0
    }
  }

  /// What the pipeline and `PlaceFix(estimate)` make of a receiver's fixes.
  private static func fuse(_ fixes: [PlaceFix]) -> [PlaceFix] {
    var (filter, motion) = (PositionFilter(), MotionStateEstimator())
    return fixes.map { given in
      let seconds = 1000 + given.time.seconds(since: SimulatedDay.start)
      var fix = Fix(
        timestamp: Timestamp(nanoseconds: UInt64(bounded: seconds * 1e9)), kind: .threeDimensional)
      fix.position = given.position
      fix.horizontalAccuracyMetres = given.horizontalAccuracyMetres
      (fix.speedMetresPerSecond, fix.utc) = (given.speedMetresPerSecond, given.time)
      filter.update(fix)
      var fused = given
      if let solution = filter.solution(at: fix.timestamp),
        solution.fixTimestamp == fix.timestamp
      {
        let speed = solution.isStanding ? 0 : given.speedMetresPerSecond
        motion.update(
          speedMetresPerSecond: speed ?? solution.speedMetresPerSecond,
          accuracy: speed == nil ? solution.speedAccuracyMetresPerSecond : nil, at: fix.timestamp)
        filter.usualMotion = motion.usualMotion
        fused.position = solution.position
        fused.horizontalAccuracyMetres = solution.horizontalAccuracyMetres
      }
      let state = motion.solution(at: fix.timestamp)
      fused.motion = state.flatMap {
        $0.probability >= Estimate.certainMotionProbability ? $0.state : nil
      }
      return fused
    }
  }
}

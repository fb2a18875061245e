import EarthModel
import Foundation
import Fusion
import Quantities
import Simulation
import Study

/// The errors of simulated drives, inside and outside their outages.
struct OutageJudge {
  let outages: [TimeSpan]
  /// The errors at the ends of the outages, and those of the last velocity, m.
  private(set) var ends: [Double] = []
  private var straight: [Double] = []
  private var inside = Coverage()
  private var outside = Coverage()
  /// The errors of the heading, all and in turns, degrees.
  private var headings: [Double] = []
  private var turning: [Double] = []

  /// How often an error lies within its stated radius.
  private struct Coverage {
    var hits = 0
    var count = 0
    var share: Double { Double(hits) / Double(count) }

    mutating func add(_ isHit: Bool) {
      hits += isHit ? 1 : 0
      count += 1
    }
  }

  init(outages: [TimeSpan]) { self.outages = outages }

  /// Judges a heading from magnetic north.
  mutating func add(heading: Angle, _ truth: Truth) {
    let error = abs((heading - truth.magneticHeading.angle).wrappedToHalfTurn.degrees)
    headings.append(error)
    if abs(truth.rateOfTurn.degreesPerSecond) > 5 { turning.append(error) }
  }

  /// Judges a place; called once a second.
  mutating func add(_ solution: PositionSolution, _ truth: Truth, _ lastFix: Fix?) {
    let t = truth.timestamp
    let error = distance(truth.position, solution.position)
    let isHit = error <= solution.horizontalAccuracyMetres
    guard
      let outage = outages.first(where: { t.seconds >= $0.fromSeconds && t.seconds < $0.toSeconds })
    else { return outside.add(isHit) }
    inside.add(isHit)
    guard t.seconds >= outage.toSeconds - 1 else { return }
    ends.append(error)
    if let carried = lastFix?.carried(to: t) { straight.append(distance(truth.position, carried)) }
  }

  func report() {
    print(
      String(
        format:
          "end of outage: median %.1f m, p90 %.1f m; last velocity: median %.1f m; ratio %.2f",
        quantile(ends, 0.5), quantile(ends, 0.9), quantile(straight, 0.5),
        quantile(ends, 0.5) / quantile(straight, 0.5)))
    print(
      String(
        format: "coverage of the 68 %% radius: outside %.3f (%d), inside %.3f (%d)",
        outside.share, outside.count, inside.share, inside.count))
    print(
      String(
        format: "heading: RMS %.2f, p95 %.2f; turning: RMS %.2f p95 %.2f max %.2f",
        rootMeanSquare(headings), quantile(headings, 0.95), rootMeanSquare(turning),
        quantile(turning, 0.95), turning.max() ?? 0))
  }
}

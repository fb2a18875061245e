import CalibrationFit
import Chips
import Quantities

/// The axes of a gyroscope and an accelerometer in one unit: while the board is tilted, gravity must turn by the angle
/// that the gyroscope measures.
///
/// Model: over an interval `Δf = -θ × f`, with the force f and the turn θ. Each of the 48 signed permutations of θ is
/// compared. What the motion does not show, such as a turn about an axis that never leaves the vertical, gives equal
/// costs and no finding. A mirrored accelerometer S looks like the permutation `-S⁻¹`, which has no mirror, so that the
/// sensor at fault is known: one unit cannot be mounted in two ways.
enum UnitAxisRule {
  /// An interval, s: the turn is several degrees, and a hand's shaking averages out over many.
  private static let interval = 0.2
  /// Longest time between two samples, s: the turn in a longer one is unknown.
  private static let longestGap = 0.1
  /// Least turn of an interval, rad: 2 degrees, a change of gravity of 0.3 m/s².
  private static let leastTurn = 2 * Double.pi / 180
  /// Fewest intervals: ten seconds of turning.
  private static let fewest = 50
  /// Largest cost of the best permutation relative to that of the stated axes: half of the error in amplitude.
  private static let largestCost = 0.25
  /// Least cost of the second best relative to the best.
  private static let leastGap = 1.5

  private struct Interval {
    var turn: SIMD3<Double>
    var force: SIMD3<Double>
    var change: SIMD3<Double>

    func error(_ axes: Matrix3) -> Double {
      (change + (axes * turn).cross(force)).lengthSquared
    }
  }

  static func findings(_ data: CheckData, _ outcome: inout CheckOutcome) -> [CheckFinding] {
    let intervals = intervals(data)
    guard intervals.count >= fewest else { return [] }
    let costs = SignedAxes.all.map { axes in
      (axes: axes, cost: intervals.reduce(0.0) { $0 + $1.error(axes.matrix) })
    }.sorted { $0.cost < $1.cost }
    let stated = intervals.reduce(0.0) { $0 + $1.error(.identity) }
    outcome.add(
      "error of gravity by the gyroscope", (stated / Double(intervals.count)).squareRoot(), 2,
      "m/s²")
    guard costs[0].axes != .identity, costs[0].cost < largestCost * stated,
      costs[1].cost > leastGap * costs[0].cost
    else { return [] }
    return [wrong(costs[0].axes, data)]
  }

  private static func wrong(_ axes: SignedAxes, _ data: CheckData) -> CheckFinding {
    let sensor = axes.isMirrored ? "gyroscope" : "accelerometer"
    // The permutation takes the measured turn to the true one, or to that of the mirrored accelerometer.
    let inverse = axes.matrix.transposed
    let mirror = axes.isMirrored ? inverse : inverse * -1
    let chip = MirroredAxes(mirror, of: data.chips(.inertia).first?.sensor)
    return CheckFinding(
      chip.isExchange ? .swappedAxes : .invertedAxis, on: data.name(of: .inertia),
      chip.fault(of: sensor),
      figure: "gravity turns as if the \(sensor)'s x, y, z were \(chip.axes)",
      remedy:
        "check with lodestar probe which chip it is, and report it with board-report.txt: its driver is at fault"
    )
  }

  private static func intervals(_ data: CheckData) -> [Interval] {
    var offset = Spread()
    for row in data.rows(data.rest) {
      if let rate = row.inertial?.angularRate?.components { offset.add(rate) }
    }
    var result: [Interval] = []
    var start: (force: SIMD3<Double>, at: Timestamp)?
    var last = Timestamp(nanoseconds: 0)
    var turn = SIMD3<Double>.zero
    var mean = Spread()
    for row in data.rows(data.motion) {
      guard let sample = row.inertial, let rate = sample.angularRate?.components,
        let force = sample.specificForce?.components
      else { continue }
      let now = sample.timestamp
      if let begin = start, now > last, now.seconds(since: last) <= longestGap {
        turn += (rate - offset.mean) * now.seconds(since: last)
        mean.add(force)
        last = now
        guard now.seconds(since: begin.at) >= interval else { continue }
        if turn.length >= leastTurn {
          result.append(Interval(turn: turn, force: mean.mean, change: force - begin.force))
        }
      }
      (start, last, turn, mean) = ((force, now), now, .zero, Spread())
    }
    return result
  }
}

import CalibrationFit
import Chips
import Quantities

/// The axes of a gyroscope and an accelerometer in one unit: seen from the earth, gravity must stay
/// where it is while the board turns.
///
/// Model: the attitude is integrated from the angular rates of each of the 48 signed permutations,
/// and the force is averaged in earth-fixed axes over a second, so that the accelerations of a hand
/// cancel. Of the right permutation the means of neighbouring seconds are equal; the drift of a
/// gyroscope within two seconds does not matter. What the motion does not show, such as a turn
/// about an axis that never leaves the vertical, gives equal costs and no finding. A mirrored
/// accelerometer S looks like the permutation `-S⁻¹`, which has no mirror, so that the sensor at
/// fault is known: one unit cannot be mounted in two ways.
enum UnitAxisRule {
  /// Averaging time, s. Small: shaking of the hand remains; large: the gyroscope's drift matters.
  private static let interval = 1.0
  /// Longest time between two samples, s: the turn in a longer one is unknown.
  private static let longestGap = 0.1
  /// Fewest pairs of means.
  private static let fewest = 10
  /// Largest cost of the best permutation relative to that of the stated axes: half of the error in
  /// amplitude.
  private static let largestCost = 0.25
  /// Least cost of the second best relative to the best, and largest of the stated axes where they
  /// are right.
  private static let leastGap = 1.5

  /// What the motion shows.
  struct Result {
    /// What is wrong.
    var findings: [CheckFinding] = []
    /// False where the stated axes are neither confirmed nor refuted.
    var isDetermined = true
  }

  private struct Sample {
    /// The turn since the sample before, rad; nil after a gap.
    var turn: SIMD3<Double>?
    var force: SIMD3<Double>
    var instant: Timestamp
  }

  static func result(_ data: CheckData, _ outcome: inout CheckOutcome) -> Result {
    let samples = samples(data)
    let stated = cost(of: .identity, samples)
    guard stated.pairs >= fewest else { return Result() }
    let costs = SignedAxes.all.map { (axes: $0, cost: cost(of: $0, samples).sum) }
      .sorted { $0.cost < $1.cost }
    outcome.add(
      "change of gravity by the gyroscope", (stated.sum / Double(stated.pairs)).squareRoot(), 2,
      "m/s²")
    if stated.sum <= leastGap * costs[0].cost { return Result() }
    guard costs[0].cost < largestCost * stated.sum, costs[1].cost > leastGap * costs[0].cost else {
      outcome.notes.append(
        "the axes of gyroscope and accelerometer are not determined: tilt the board further, and more slowly"
      )
      return Result(isDetermined: false)
    }
    return Result(findings: [wrong(costs[0].axes, data)])
  }

  private static func wrong(_ axes: SignedAxes, _ data: CheckData) -> CheckFinding {
    let sensor = axes.isMirrored ? "gyroscope" : "accelerometer"
    // The permutation takes the measured turn to the true one, or to that of the mirrored
    // accelerometer.
    let inverse = axes.matrix.transposed
    let mirror = axes.isMirrored ? inverse : inverse * -1
    let chip = MirroredAxes(
      mirror, of: data.chips(.inertia).first?.sensor, axes.isMirrored ? .rate : .force)
    return CheckFinding(
      chip.isExchange ? .swappedAxes : .invertedAxis, on: data.name(of: .inertia),
      chip.fault(of: sensor),
      figure: "gravity turns as if the \(sensor)'s x, y, z were \(chip.axes)",
      remedy: data.mirrorRemedy)
  }

  /// The sum of the squared changes of gravity, and their number.
  private static func cost(of axes: SignedAxes, _ samples: [Sample]) -> (sum: Double, pairs: Int) {
    let matrix = axes.matrix
    var attitude = Rotation<SensorFrame, SensorFrame>.identity
    var (mean, before): (Spread, SIMD3<Double>?) = (Spread(), nil)
    var begin: Timestamp?
    var (sum, pairs) = (0.0, 0)
    for sample in samples {
      guard let turn = sample.turn else {
        (mean, before, begin) = (Spread(), nil, sample.instant)
        continue
      }
      attitude = attitude * Rotation(rotationVector: matrix * turn)
      mean.add(attitude.rotate(sample.force))
      guard let start = begin, sample.instant.seconds(since: start) >= interval else { continue }
      if let before {
        sum += (mean.mean - before).lengthSquared
        pairs += 1
      }
      (before, mean, begin) = (mean.mean, Spread(), sample.instant)
    }
    return (sum, pairs)
  }

  private static func samples(_ data: CheckData) -> [Sample] {
    var offset = Spread()
    for row in data.rows(data.rest) {
      if let rate = row.inertial?.angularRate?.components { offset.add(rate) }
    }
    var last: Timestamp?
    return data.rows(data.motion).compactMap { row in
      guard let sample = row.inertial, let rate = sample.angularRate?.components,
        let force = sample.specificForce?.components
      else { return nil }
      let now = sample.timestamp
      defer { last = now }
      let seconds = last.map { now.seconds(since: $0) } ?? .infinity
      let isNext = seconds > 0 && seconds <= longestGap
      return Sample(
        turn: isNext ? (rate - offset.mean) * seconds : nil, force: force, instant: now)
    }
  }
}

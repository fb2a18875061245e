import Quantities

/// Converts samples of a board without a gyroscope to observations: a short mean of the field, with
/// gravity as the mean over a longer time around it.
///
/// The field's mean is short, since without a gyroscope a turn cannot be compensated. Gravity's
/// mean is longer, since a shaking hand affects every specific force. An observation has no gravity
/// if the force was not gravity.
public struct GravityFieldObserver: Sendable {
  /// Averaging time of the field, s: samples of a chip within it count as one.
  public static var fieldTime: Double { 0.03 }
  /// Interval between two observations, s.
  static var interval: Double { 0.15 }
  /// Half the averaging time of gravity, s.
  static var gravityReach: Double { 0.3 }
  /// Maximum difference of the mean force from gravity, m/s².
  static var mostMeanDeviation: Double { 0.3 }
  /// Maximum root mean square deviation of its length, m/s².
  static var mostDeviation: Double { 0.6 }

  private var start: Timestamp?
  private var sum = SIMD3<Double>.zero
  private var count = 0.0
  private var isCollecting = true
  private var pending: [(field: SIMD3<Double>, at: Timestamp)] = []
  private var forces: [(force: SIMD3<Double>, at: Timestamp)] = []

  /// Makes an observer without samples.
  public init() {}

  /// Adds a specific force along the sensor's axes, m/s².
  public mutating func add(force: SIMD3<Double>, at t: Timestamp) {
    guard force.isFinite else { return }
    forces.append((force, t))
    // Forces too old for every pending field are not needed.
    let oldest = pending.first?.at ?? t
    let reach = 2 * Self.gravityReach
    if let first = forces.first, oldest.seconds(since: first.at) > 2 * reach {
      forces.removeAll { oldest.seconds(since: $0.at) > reach }
    }
  }

  /// Adds a field sample, microtesla along the sensor's axes.
  /// - Returns: An earlier observation, if one is complete.
  public mutating func add(field: SIMD3<Double>, at t: Timestamp) -> FieldObservation? {
    guard field.isFinite else { return nil }
    collect(field, t)
    guard let first = pending.first, abs(t.seconds(since: first.at)) > Self.gravityReach else {
      return nil
    }
    pending.removeFirst()
    return FieldObservation(
      timestamp: first.at, field: first.field,
      axes: gravity(at: first.at).map {
        ReferenceAxes(x: .zero, y: .zero, down: $0, isYawCarried: false)
      })
  }

  private mutating func collect(_ field: SIMD3<Double>, _ t: Timestamp) {
    let begin = start ?? t
    let elapsed = t.seconds(since: begin)
    if start == nil || elapsed >= Self.interval || elapsed < 0 {
      if isCollecting, count > 0 { pending.append((sum / count, begin)) }
      (start, sum, count, isCollecting) = (t, field, 1, true)
    } else if isCollecting, elapsed < Self.fieldTime {
      sum += field
      count += 1
    } else if isCollecting {
      pending.append((sum / count, begin))
      isCollecting = false
    }
  }

  /// The unit vector down at a time; nil if the board was accelerated.
  private func gravity(at t: Timestamp) -> SIMD3<Double>? {
    var (sum, squares, n) = (SIMD3<Double>.zero, 0.0, 0.0)
    for (force, at) in forces where abs(at.seconds(since: t)) <= Self.gravityReach {
      sum += force
      let deviation = force.length - Self.gravity
      squares += deviation * deviation
      n += 1
    }
    guard n >= 3, (squares / n).squareRoot() < Self.mostDeviation,
      abs((sum / n).length - Self.gravity) < Self.mostMeanDeviation
    else { return nil }
    return (-sum).normalized
  }

  private static var gravity: Double { 9.806_65 }
}

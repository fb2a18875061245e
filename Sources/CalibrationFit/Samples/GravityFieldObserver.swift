import Quantities

/// Turns samples of a board without a gyroscope into observations: a short mean of the field, beside the
/// gravity of a longer time about the same middle.
///
/// Short, since nobody carries the field through a turn; longer, since a hand's shake is in every specific
/// force. Where the force was not gravity the observation goes without.
public struct GravityFieldObserver: Sendable {
  /// The length of the field's mean, s: a chip's samples within it are one.
  public static var fieldTime: Double { 0.03 }
  /// Seconds between two observations.
  static var interval: Double { 0.15 }
  /// How far gravity's mean reaches to both sides, s.
  static var gravityReach: Double { 0.3 }
  /// The mean force may differ by this from gravity, m/s².
  static var leastCalm: Double { 0.3 }
  /// And its length may stray by this, root mean square, m/s².
  static var mostStray: Double { 0.6 }

  private var start: Timestamp?
  private var sum = SIMD3<Double>.zero
  private var count = 0.0
  private var isCollecting = true
  private var waiting: [(field: SIMD3<Double>, at: Timestamp)] = []
  private var forces: [(force: SIMD3<Double>, at: Timestamp)] = []

  /// Makes an observer that has seen nothing.
  public init() {}

  /// Takes in a specific force along the sensor's axes, m/s².
  public mutating func add(force: SIMD3<Double>, at t: Timestamp) {
    guard force.isFinite else { return }
    forces.append((force, t))
    // What no waiting field reaches is of no use.
    let oldest = waiting.first?.at ?? t
    let reach = 2 * Self.gravityReach
    if let first = forces.first, oldest.seconds(since: first.at) > 2 * reach {
      forces.removeAll { oldest.seconds(since: $0.at) > reach }
    }
  }

  /// Takes in a field sample, microtesla along the sensor's axes.
  /// - Returns: An observation of a little earlier, where one is complete.
  public mutating func add(field: SIMD3<Double>, at t: Timestamp) -> FieldObservation? {
    guard field.isFinite else { return nil }
    collect(field, t)
    guard let first = waiting.first, abs(t.seconds(since: first.at)) > Self.gravityReach else {
      return nil
    }
    waiting.removeFirst()
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
      if isCollecting, count > 0 { waiting.append((sum / count, begin)) }
      (start, sum, count, isCollecting) = (t, field, 1, true)
    } else if isCollecting, elapsed < Self.fieldTime {
      sum += field
      count += 1
    } else if isCollecting {
      waiting.append((sum / count, begin))
      isCollecting = false
    }
  }

  /// Down at an instant, of length 1; nil where the board was pushed.
  private func gravity(at t: Timestamp) -> SIMD3<Double>? {
    var (sum, squares, n) = (SIMD3<Double>.zero, 0.0, 0.0)
    for (force, at) in forces where abs(at.seconds(since: t)) <= Self.gravityReach {
      sum += force
      let stray = force.length - Self.gravity
      squares += stray * stray
      n += 1
    }
    guard n >= 3, (squares / n).squareRoot() < Self.mostStray,
      abs((sum / n).length - Self.gravity) < Self.leastCalm
    else { return nil }
    return (-sum).normalized
  }

  private static var gravity: Double { 9.806_65 }
}

import Quantities

/// Fixes in a row that the position filter refuses, judged by each other only: the filter's own
/// velocity may be what is wrong.
struct RefusedFixes: Sendable {
  /// The first of them.
  let since: Timestamp
  /// How many in a row agree with each other.
  private(set) var count = 0
  private var newest: (metres: SIMD2<Double>, velocity: SIMD2<Double>?, at: Timestamp)?

  init(since: Timestamp) { self.since = since }

  /// Adds a fix.
  /// - Parameters:
  ///   - metres: Its place.
  ///   - velocity: Its velocity, m/s; nil: that between the two fixes before it.
  ///   - speed: The speed to any side where no velocity is known, m/s.
  ///   - sigma: Its accuracy, one sigma on an axis, m.
  ///   - t: Its time.
  mutating func add(
    _ metres: SIMD2<Double>, velocity: SIMD2<Double>?, speed: Double, sigma: Double,
    at t: Timestamp
  ) {
    guard let before = newest else {
      (newest, count) = ((metres, velocity, t), 1)
      return
    }
    let dt = max(t.seconds(since: before.at), 0)
    let step = metres - before.metres
    let known = velocity ?? before.velocity
    let stray = (step - (known ?? .zero) * dt).length
    let room = 3 * sigma + (1.5 * dt + (known == nil ? speed : 0)) * dt + 2
    count = stray < room ? count + 1 : 1
    newest = (metres, velocity ?? (dt > 0 ? step / dt : nil), t)
  }

  /// Expresses the newest place in another plane.
  mutating func move(_ convert: (SIMD2<Double>) -> SIMD2<Double>) {
    newest = newest.map { (convert($0.metres), $0.velocity, $0.at) }
  }
}

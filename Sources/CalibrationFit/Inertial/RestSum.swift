import Quantities

/// Sums for the means and spreads of a rest.
struct RestSum: Equatable, Sendable {
  private(set) var seconds = 0.0
  private var rate = SIMD3<Double>.zero
  private var force = SIMD3<Double>.zero
  private var forceSeconds = 0.0
  private var celsius = 0.0
  private var celsiusSeconds = 0.0
  /// Sums of the squared distance from the first sample, for numerical precision.
  private var rateSquares = 0.0
  private var forceSquares = 0.0
  private var firstRate: SIMD3<Double>?
  private var firstForce: SIMD3<Double>?

  init() {}

  init(_ rest: RestInterval) { add(rest) }

  mutating func add(
    _ rate: SIMD3<Double>, _ force: SIMD3<Double>?, _ celsius: Double?, _ dt: Double
  ) {
    add(rate: rate, force: force, celsius: celsius, rateVariance: 0, forceVariance: 0, dt)
  }

  mutating func add(_ rest: RestInterval) {
    let (a, b) = (rest.rateSpread ?? 0, rest.forceSpread ?? 0)
    add(
      rate: rest.rate, force: rest.force, celsius: rest.celsius, rateVariance: a * a,
      forceVariance: b * b, rest.seconds)
  }

  mutating func add(_ other: RestSum) { if let rest = other.interval { add(rest) } }

  private mutating func add(
    rate r: SIMD3<Double>, force f: SIMD3<Double>?, celsius t: Double?, rateVariance: Double,
    forceVariance: Double, _ dt: Double
  ) {
    let origin = firstRate ?? r
    firstRate = origin
    let off = r - origin
    rate += off * dt
    rateSquares += (off.lengthSquared + rateVariance) * dt
    seconds += dt
    if let f {
      let origin = firstForce ?? f
      firstForce = origin
      let off = f - origin
      force += off * dt
      forceSquares += (off.lengthSquared + forceVariance) * dt
      forceSeconds += dt
    }
    if let t, t.isFinite {
      celsius += t * dt
      celsiusSeconds += dt
    }
  }

  var meanForce: SIMD3<Double>? {
    guard forceSeconds > 0, let firstForce else { return nil }
    return firstForce + force / forceSeconds
  }

  var interval: RestInterval? {
    guard seconds > 0, let firstRate else { return nil }
    let meanRate = rate / seconds
    let rateVariance = rateSquares / seconds - meanRate.lengthSquared
    var forceSpread: Double?
    if forceSeconds > 0 {
      let mean = force / forceSeconds
      forceSpread = max(0, forceSquares / forceSeconds - mean.lengthSquared).squareRoot()
    }
    return RestInterval(
      rate: firstRate + meanRate, force: meanForce, seconds: seconds,
      celsius: celsiusSeconds > 0 ? celsius / celsiusSeconds : nil,
      rateSpread: max(0, rateVariance).squareRoot(), forceSpread: forceSpread)
  }
}

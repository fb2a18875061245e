/// The last values of a signal at a regular interval, and its period by autocorrelation.
///
/// The storage is allocated once.
struct PeriodWindow: Sendable {
  /// A repetition of the signal.
  struct Period: Equatable, Sendable {
    /// The autocorrelation at the period: 1 for a signal that repeats exactly, 0 for noise.
    var strength: Double
    /// The number of values in the period, between values by a parabola.
    var length: Double
  }

  private var values: [SIMD3<Float>]
  private var next = 0
  private(set) var count = 0
  private let lags: ClosedRange<Int>

  /// Makes a window of `count` values that finds periods with a length in `lags`.
  init(count: Int, lags: ClosedRange<Int>) {
    values = [SIMD3<Float>](repeating: .zero, count: count)
    self.lags = lags
  }

  mutating func add(_ value: SIMD3<Double>) {
    values[next] = SIMD3<Float>(value)
    next = next + 1 == values.count ? 0 : next + 1
    count = min(count + 1, values.count)
  }

  mutating func clear() { (next, count) = (0, 0) }

  /// The share of the window that is filled.
  var filled: Double { Double(count) / Double(values.count) }

  /// The mean square of the values about their mean.
  var variance: Double {
    guard count > 1 else { return 0 }
    let mean = self.mean
    var sum: Float = 0
    for k in 0..<count {
      let d = values[k] - mean
      sum += (d * d).sum()
    }
    return Double(sum) / Double(count)
  }

  private var mean: SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    for k in 0..<count { sum += values[k] }
    return sum / Float(max(count, 1))
  }

  /// The shortest period whose peak is nearly as strong as the strongest; nil without a peak, and
  /// before the window has twice the longest period.
  func period() -> Period? {
    guard count > 2 * lags.upperBound else { return nil }
    let mean = self.mean
    let square = variance
    guard square > 0 else { return nil }
    var best: Period?
    var (before, here) = (
      correlation(lags.lowerBound - 1, mean), correlation(lags.lowerBound, mean)
    )
    for lag in lags {
      let after = correlation(lag + 1, mean)
      // A period that is the double of a shorter one has a peak of about its height.
      if here > 0, here >= before, here >= after, here / square > (best?.strength ?? 0) * 1.25 {
        let bend = before - 2 * here + after
        let shift = bend < 0 ? 0.5 * (before - after) / bend : 0
        best = Period(strength: min(1, here / square), length: Double(lag) + shift)
      }
      (before, here) = (here, after)
    }
    return best
  }

  /// The mean product of values so far apart.
  private func correlation(_ lag: Int, _ mean: SIMD3<Float>) -> Double {
    var sum: Float = 0
    // Oldest first: the ring starts at `next` once it is full.
    let start = count == values.count ? next : 0
    var (i, j) = (start, start + lag)
    if j >= values.count { j -= values.count }
    for _ in 0..<count - lag {
      sum += ((values[i] - mean) * (values[j] - mean)).sum()
      i = i + 1 == values.count ? 0 : i + 1
      j = j + 1 == values.count ? 0 : j + 1
    }
    return Double(sum) / Double(count - lag)
  }
}

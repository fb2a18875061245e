import RealModule

/// An error that wanders and comes back: a first-order Gauss-Markov process, stepped at a fixed period.
///
/// It starts with its stationary spread, so that the first sample is no better than the last.
/// - Source: P. S. Maybeck, Stochastic Models, Estimation, and Control, volume 1, section 4.11.
package struct SlowError: Sendable {
  /// The error now, in the unit of the spread that it was made with.
  package private(set) var value: SIMD3<Double>
  private let kept: Double
  private let fresh: SIMD3<Double>

  /// Makes a process that has this standard deviation and forgets to 1/e in the correlation time.
  package init(
    spread: SIMD3<Double>, correlationSeconds: Double, periodSeconds: Double,
    random: inout RandomStream
  ) {
    kept = Double.exp(-periodSeconds / correlationSeconds)
    fresh = spread * (1 - kept * kept).squareRoot()
    value = random.gaussianVector() * spread
  }

  /// Lets one period pass.
  package mutating func step(_ random: inout RandomStream) {
    value = value * kept + random.gaussianVector() * fresh
  }
}

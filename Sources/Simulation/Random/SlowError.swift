import RealModule

/// A slowly varying error: a first-order Gauss-Markov process with a fixed step.
///
/// It starts with its stationary distribution, so that all samples have the same spread.
/// - Source: P. S. Maybeck, Stochastic Models, Estimation, and Control, volume 1, section 4.11.
package struct SlowError: Sendable {
  /// The present error, in the unit of the standard deviation.
  package private(set) var value: SIMD3<Double>
  private let kept: Double
  private let fresh: SIMD3<Double>

  /// Makes a process with a standard deviation; its correlation falls to 1/e in the correlation
  /// time.
  package init(
    spread: SIMD3<Double>, correlationSeconds: Double, periodSeconds: Double,
    random: inout RandomStream
  ) {
    kept = Double.exp(-periodSeconds / correlationSeconds)
    fresh = spread * (1 - kept * kept).squareRoot()
    value = random.gaussianVector() * spread
  }

  /// Advances by one period.
  package mutating func step(_ random: inout RandomStream) {
    value = value * kept + random.gaussianVector() * fresh
  }
}

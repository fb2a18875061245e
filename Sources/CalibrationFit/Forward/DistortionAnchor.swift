import Quantities

/// An earlier calibration as the prior of a fit.
public struct DistortionAnchor: Equatable, Sendable {
  /// The prior distortion.
  public let distortion: FieldDistortion
  /// The earth's field of that calibration.
  public let earthField: EarthField
  /// The inverse of its covariance, rows first.
  let precision: [Double]

  /// Makes an anchor of an earlier estimate.
  ///
  /// The result is nil if the covariance has no inverse.
  /// - Parameters:
  ///   - estimate: The earlier estimate.
  ///   - shapeDrift: Change of each element of the shape since then, one sigma.
  ///   - offsetDrift: Change of each component of the offset since then, microtesla, one sigma.
  public init?(_ estimate: DistortionEstimate, shapeDrift: Double, offsetDrift: Double) {
    let n = DistortionCovariance.order
    var covariance = Matrix(order: n)
    var inverse = Matrix(order: n)
    for i in 0..<n {
      for j in 0..<n { covariance[i, j] = estimate.covariance[i, j] }
      let drift = i < ForwardState.offset ? shapeDrift : offsetDrift
      covariance[i, i] += drift * drift
      inverse[i, i] = 1
    }
    do { try covariance.factorizeCholesky() } catch { return nil }
    covariance.solve(into: &inverse)
    var elements: [Double] = []
    for i in 0..<n { for j in 0..<n { elements.append((inverse[i, j] + inverse[j, i]) / 2) } }
    distortion = estimate.distortion
    earthField = estimate.earthField
    precision = elements
  }

  /// The difference of the anchor and a state.
  private func distance(_ x: ForwardState) -> [Double] {
    (0..<DistortionCovariance.order).map { (i: Int) -> Double in
      let isShape = i < ForwardState.offset
      let anchored =
        isShape ? distortion.shape[i / 3, i % 3] : distortion.offset[i - ForwardState.offset]
      return anchored - x[i]
    }
  }

  func add(to a: inout Matrix, _ b: inout [Double], at x: ForwardState) {
    let n = DistortionCovariance.order
    let d = distance(x)
    for i in 0..<n {
      for j in 0..<n {
        a[i, j] += precision[i * n + j]
        b[i] += precision[i * n + j] * d[j]
      }
    }
  }

  func cost(_ x: ForwardState) -> Double {
    let n = DistortionCovariance.order
    let d = distance(x)
    var sum = 0.0
    for i in 0..<n { for j in 0..<n { sum += d[i] * precision[i * n + j] * d[j] } }
    return sum
  }
}

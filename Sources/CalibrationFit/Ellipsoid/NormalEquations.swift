import Quantities

/// The sums of a weighted least-squares step: `information * step = right`.
struct NormalEquations: Sendable {
  /// Rows of the symmetric information matrix.
  var information = [SIMD16<Double>](repeating: .zero, count: EllipsoidState.order)
  var right = SIMD16<Double>.zero

  /// Adds a residual with its derivatives and its weight (one over the variance).
  mutating func add(residual: Double, gradient: SIMD16<Double>, weight: Double) {
    let weighted = gradient * weight
    for i in 0..<EllipsoidState.order { information[i] += weighted * gradient[i] }
    right -= weighted * residual
  }

  /// The solution of the equations with the diagonal increased by a factor.
  /// - Throws: `CalibrationFitError.notSolvable` where the information is not positive definite.
  func step(damping: Double) throws(CalibrationFitError) -> SIMD16<Double> {
    var factor = Matrix(order: EllipsoidState.order)
    fill(&factor, damping: damping)
    try Self.factorize(&factor)
    var b = Matrix(rows: EllipsoidState.order, columns: 1)
    for i in 0..<EllipsoidState.order { b[i, 0] = right[i] }
    factor.solve(into: &b)
    var step = SIMD16<Double>.zero
    for i in 0..<EllipsoidState.order { step[i] = b[i, 0] }
    return step
  }

  /// The inverse of the information, rows first: the posterior covariance.
  /// - Throws: `CalibrationFitError.notSolvable` where the information is not positive definite.
  func covariance() throws(CalibrationFitError) -> [SIMD16<Double>] {
    var factor = Matrix(order: EllipsoidState.order)
    fill(&factor, damping: 0)
    try Self.factorize(&factor)
    var inverse = Matrix(order: EllipsoidState.order)
    for i in 0..<EllipsoidState.order { inverse[i, i] = 1 }
    factor.solve(into: &inverse)
    var rows = [SIMD16<Double>](repeating: .zero, count: EllipsoidState.order)
    for i in 0..<EllipsoidState.order {
      for j in 0..<EllipsoidState.order { rows[i][j] = (inverse[i, j] + inverse[j, i]) / 2 }
    }
    return rows
  }

  private static func factorize(_ matrix: inout Matrix) throws(CalibrationFitError) {
    do { try matrix.factorizeCholesky() } catch { throw .notSolvable }
  }

  private func fill(_ matrix: inout Matrix, damping: Double) {
    for i in 0..<EllipsoidState.order {
      for j in 0..<EllipsoidState.order { matrix[i, j] = information[i][j] }
      matrix[i, i] *= 1 + damping
    }
  }
}

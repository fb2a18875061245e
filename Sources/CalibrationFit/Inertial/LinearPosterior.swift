import Quantities

/// The normal equations of a linear fit with priors; the solution is mean and covariance.
struct LinearPosterior {
  let order: Int
  private(set) var information: [Double]
  private(set) var vector: [Double]

  init(order: Int) {
    self.order = order
    information = Array(repeating: 0, count: order * order)
    vector = Array(repeating: 0, count: order)
  }

  /// Adds one equation `row · x = value`; its weight is one over its variance.
  mutating func add(_ row: [Double], _ value: Double, weight: Double) {
    for i in 0..<order where row[i] != 0 {
      let factor = weight * row[i]
      vector[i] += factor * value
      for j in 0..<order { information[i * order + j] += factor * row[j] }
    }
  }

  /// Adds the sums of many equations with four unknowns: row times row, and row times value.
  mutating func add(_ moments: [SIMD4<Double>], _ right: SIMD4<Double>, weight: Double) {
    for i in 0..<4 {
      vector[i] += weight * right[i]
      for j in 0..<4 { information[i * order + j] += weight * moments[i][j] }
    }
  }

  /// Adds a prior of one unknown.
  mutating func addPrior(_ i: Int, mean: Double = 0, sigma: Double) {
    let weight = 1 / (sigma * sigma)
    information[i * order + i] += weight
    vector[i] += weight * mean
  }

  /// The most probable solution and its covariance, rows first.
  func solve() throws(MatrixError) -> (mean: [Double], covariance: [Double]) {
    var factor = Matrix(order: order)
    var right = Matrix(rows: order, columns: order + 1)
    for i in 0..<order {
      for j in 0..<order { factor[i, j] = information[i * order + j] }
      right[i, i] = 1
      right[i, order] = vector[i]
    }
    try factor.factorizeCholesky()
    factor.solve(into: &right)
    var mean = vector
    var covariance = information
    for i in 0..<order {
      mean[i] = right[i, order]
      for j in 0..<order { covariance[i * order + j] = right[i, j] }
    }
    return (mean, covariance)
  }
}

/// The weight of an observation in a robust fit, at most 1: Student's t with four degrees of
/// freedom, as in the magnetometer's fit.
/// - Parameters:
///   - square: The residual's square over its variance, summed over its components.
///   - dimensions: The number of components.
/// - Returns: The weight, above 0.
func robustWeight(_ square: Double, dimensions: Int) -> Double {
  min(1, (4 + Double(dimensions)) / (4 + square))
}

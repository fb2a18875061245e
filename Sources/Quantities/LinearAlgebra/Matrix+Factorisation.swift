/// Why a matrix operation failed.
public enum MatrixError: Error, Equatable, Sendable {
  /// The matrix is not symmetric positive definite; the leading minor of this order fails.
  case notPositiveDefinite(order: Int)
  /// The iteration did not converge: the matrix has NaN or infinity.
  case notConverged
}

extension Matrix {
  /// Overwrites a symmetric positive definite matrix with its lower Cholesky factor L, A = L Lᵀ.
  ///
  /// Only the lower triangle is read; the upper one becomes zero.
  /// - Throws: `MatrixError.notPositiveDefinite`, leaving the matrix in an unspecified state.
  public mutating func factorizeCholesky() throws(MatrixError) {
    precondition(rows == columns, "only a square matrix has a Cholesky factor")
    for j in 0..<rows {
      var pivot = self[j, j]
      for k in 0..<j { pivot -= self[j, k] * self[j, k] }
      guard pivot > 0, pivot.isFinite else { throw .notPositiveDefinite(order: j + 1) }
      let root = pivot.squareRoot()
      self[j, j] = root
      for i in (j + 1)..<max(rows, j + 1) {
        var sum = self[i, j]
        for k in 0..<j { sum -= self[i, k] * self[j, k] }
        self[i, j] = sum / root
        self[j, i] = 0
      }
    }
  }

  /// Solves A X = B in place of B, where this matrix is A's Cholesky factor.
  public borrowing func solve(into b: inout Matrix) {
    precondition(rows == columns && b.rows == rows, "sizes differ")
    for c in 0..<b.columns {
      for i in 0..<rows {
        var sum = b[i, c]
        for k in 0..<i { sum -= self[i, k] * b[k, c] }
        b[i, c] = sum / self[i, i]
      }
      for i in stride(from: rows - 1, through: 0, by: -1) {
        var sum = b[i, c]
        for k in (i + 1)..<max(rows, i + 1) { sum -= self[k, i] * b[k, c] }
        b[i, c] = sum / self[i, i]
      }
    }
  }

  /// Replaces a symmetric matrix by its eigenvalues, ascending on the diagonal, and fills `vectors`
  /// with the orthonormal eigenvectors as columns in the same order.
  ///
  /// Cyclic Jacobi: slower than QR above order 30, but accurate to the last bits of small
  /// eigenvalues.
  /// - Source: Golub and Van Loan, Matrix Computations, 4th edition, algorithm 8.5.3.
  /// - Throws: `MatrixError.notConverged` for a matrix that is not finite.
  public mutating func diagonalizeSymmetric(vectors: inout Matrix) throws(MatrixError) {
    precondition(rows == columns && vectors.rows == rows && vectors.columns == rows)
    vectors.clear()
    for i in 0..<rows { vectors[i, i] = 1 }
    var sweep = 0
    while true {
      var beside = 0.0
      var onDiagonal = 0.0
      for i in 0..<rows {
        onDiagonal += self[i, i] * self[i, i]
        for j in 0..<i { beside += self[i, j] * self[i, j] }
      }
      // 1e-34 is the square of a fraction of the last bit; below it a sweep changes nothing.
      if beside <= 1e-34 * onDiagonal { break }
      sweep += 1
      // Jacobi converges quadratically: seven sweeps do for any order met here.
      guard sweep <= 50, beside.isFinite else { throw .notConverged }
      for p in 0..<rows { for q in (p + 1)..<max(rows, p + 1) { rotate(p, q, &vectors) } }
    }
    sortAscending(&vectors)
  }

  private mutating func rotate(_ p: Int, _ q: Int, _ vectors: inout Matrix) {
    let offDiagonal = self[p, q]
    guard offDiagonal != 0 else { return }
    let theta = (self[q, q] - self[p, p]) / (2 * offDiagonal)
    let t = (theta < 0 ? -1 : 1) / (abs(theta) + (theta * theta + 1).squareRoot())
    let c = 1 / (t * t + 1).squareRoot()
    let s = t * c
    for k in 0..<rows {
      let (a, b) = (self[k, p], self[k, q])
      self[k, p] = c * a - s * b
      self[k, q] = s * a + c * b
    }
    for k in 0..<rows {
      let (a, b) = (self[p, k], self[q, k])
      self[p, k] = c * a - s * b
      self[q, k] = s * a + c * b
      let (v, w) = (vectors[k, p], vectors[k, q])
      vectors[k, p] = c * v - s * w
      vectors[k, q] = s * v + c * w
    }
    self[p, q] = 0
    self[q, p] = 0
  }

  private mutating func sortAscending(_ vectors: inout Matrix) {
    for i in 0..<rows {
      var least = i
      for j in i..<rows where self[j, j] < self[least, least] { least = j }
      guard least != i else { continue }
      let value = self[i, i]
      self[i, i] = self[least, least]
      self[least, least] = value
      for k in 0..<rows {
        let v = vectors[k, i]
        vectors[k, i] = vectors[k, least]
        vectors[k, least] = v
      }
    }
  }
}

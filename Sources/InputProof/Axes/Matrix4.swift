/// A symmetric matrix of four rows; its upper triangle is used.
struct Matrix4 {
  private var rows = (
    SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero
  )

  static var zero: Self { Self() }

  subscript(i: Int, j: Int) -> Double {
    get {
      switch i {
      case 0: rows.0[j]
      case 1: rows.1[j]
      case 2: rows.2[j]
      default: rows.3[j]
      }
    }
    set {
      switch i {
      case 0: rows.0[j] = newValue
      case 1: rows.1[j] = newValue
      case 2: rows.2[j] = newValue
      default: rows.3[j] = newValue
      }
    }
  }

  /// The upper triangular factor U of `Uᵀ U`; nil where the matrix is not positive definite.
  var cholesky: Factor? {
    var factor = Self.zero
    for i in 0..<4 {
      var pivot = self[i, i]
      for k in 0..<i { pivot -= factor[k, i] * factor[k, i] }
      guard pivot > 0 else { return nil }
      let root = pivot.squareRoot()
      factor[i, i] = root
      for j in (i + 1)..<4 {
        var value = self[i, j]
        for k in 0..<i { value -= factor[k, i] * factor[k, j] }
        factor[i, j] = value / root
      }
    }
    return Factor(upper: factor)
  }

  struct Factor {
    fileprivate let upper: Matrix4

    func solve(_ right: SIMD4<Double>) -> SIMD4<Double> {
      var x = right
      for i in 0..<4 {
        for k in 0..<i { x[i] -= upper[k, i] * x[k] }
        x[i] /= upper[i, i]
      }
      for i in (0..<4).reversed() {
        for k in (i + 1)..<4 { x[i] -= upper[i, k] * x[k] }
        x[i] /= upper[i, i]
      }
      return x
    }
  }
}

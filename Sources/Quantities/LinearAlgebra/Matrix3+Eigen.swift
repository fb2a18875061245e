extension Matrix3 {
  /// Eigenvalues of a symmetric matrix, largest first, and the eigenvectors as columns, by Jacobi
  /// rotations, without heap storage; `Matrix.diagonalizeSymmetric` is for any order.
  public var eigen: (values: SIMD3<Double>, axes: Matrix3) {
    var (a, v) = (self, Matrix3.identity)
    for _ in 0..<12 {
      for (p, q) in [(0, 1), (0, 2), (1, 2)] where abs(a[p, q]) > 1e-300 {
        let theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
        let t =
          (theta >= 0 ? 1.0 : -1.0) / (abs(theta) + (theta * theta + 1).squareRoot())
        let c = 1 / (t * t + 1).squareRoot()
        var r = Matrix3.identity
        (r[p, p], r[q, q], r[p, q], r[q, p]) = (c, c, t * c, -t * c)
        a = r.transposed * a * r
        v = v * r
      }
    }
    var order = SIMD3<Int>(0, 1, 2)
    let d = a.diagonal
    if d[order[0]] < d[order[1]] { (order[0], order[1]) = (order[1], order[0]) }
    if d[order[1]] < d[order[2]] { (order[1], order[2]) = (order[2], order[1]) }
    if d[order[0]] < d[order[1]] { (order[0], order[1]) = (order[1], order[0]) }
    let sorted = SIMD3(d[order[0]], d[order[1]], d[order[2]])
    return (
      sorted,
      Matrix3(rows: v.column(order[0]), v.column(order[1]), v.column(order[2])).transposed
    )
  }
}

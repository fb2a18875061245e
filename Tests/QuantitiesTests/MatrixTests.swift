import Quantities
import Testing

/// Figures by numpy 2.4 (`linalg.cholesky`, `eigh`, `solve`, `inv`, `det`).
@Suite("Small linear algebra", .timeLimit(.minutes(30)))
struct MatrixTests {
  private static let a: [[Double]] = [
    [3.7421214725273737, -2.049765035435399, 1.3501469256792038, 0.375810697852517],
    [-2.049765035435399, 4.2014619957538315, -0.5000366857237412, 2.1510720064480107],
    [1.3501469256792038, -0.5000366857237412, 2.3168164915089684, 0.7584011585753957],
    [0.375810697852517, 2.1510720064480107, 0.7584011585753957, 2.9944723515000558],
  ]

  private static func make(_ rows: [[Double]]) -> Matrix {
    var m = Matrix(rows: rows.count, columns: rows[0].count)
    for (i, row) in rows.enumerated() { for (j, x) in row.enumerated() { m[i, j] = x } }
    return m
  }

  @Test("the Cholesky factor is numpy's")
  func cholesky() throws {
    var m = Self.make(Self.a)
    try m.factorizeCholesky()
    let expected: [[Double]] = [
      [1.9344563764860074, 0, 0, 0], [-1.0596077845698713, 1.754620568280436, 0, 0],
      [0.6979464319230514, 0.1365040345955919, 1.3457540333262892, 0],
      [0.19427199414813753, 1.3432671236044629, 0.326544316898179, 1.0226108680894488],
    ]
    for i in 0..<4 { for j in 0..<4 { #expect(abs(m[i, j] - expected[i][j]) < 1e-13) } }
  }

  @Test("a system solved by the factor gives numpy's solution")
  func solve() throws {
    var m = Self.make(Self.a)
    try m.factorizeCholesky()
    var b = Self.make([[1], [-2], [3], [0.5]])
    m.solve(into: &b)
    let x = [-0.9445087598313713, -1.1922457543193306, 1.3239259411734026, 0.806651627362295]
    for i in 0..<4 { #expect(abs(b[i, 0] - x[i]) < 1e-12) }
  }

  @Test("eigenvalues ascend as numpy's do, and the vectors rebuild the matrix")
  func eigenvalues() throws {
    var m = Self.make(Self.a)
    var v = Matrix(order: 4)
    try m.diagonalizeSymmetric(vectors: &v)
    let w = [0.5111789908867662, 1.3715458554655369, 4.585864178261414, 6.786283286676509]
    for i in 0..<4 { #expect(abs(m[i, i] - w[i]) < 1e-12) }
    // The first vector, numpy's, up to sign.
    let first = [0.4165513054871292, 0.6258543427537914, 0.1331002102140914, -0.6458139713525505]
    let sign = v[0, 0] < 0 ? -1.0 : 1.0
    for i in 0..<4 { #expect(abs(v[i, 0] * sign - first[i]) < 1e-12) }
    for i in 0..<4 {
      for j in 0..<4 {
        var sum = 0.0
        for k in 0..<4 { sum += v[i, k] * w[k] * v[j, k] }
        #expect(abs(sum - Self.a[i][j]) < 1e-12)
      }
    }
  }

  @Test("the smallest eigenvalue of Hilbert's matrix of order 6 keeps nine digits")
  func hilbert() throws {
    var m = Self.make((0..<6).map { i in (0..<6).map { j in 1 / Double(i + j + 1) } })
    var v = Matrix(order: 6)
    try m.diagonalizeSymmetric(vectors: &v)
    #expect(abs(m[0, 0] / 1.0827994844532908e-07 - 1) < 1e-8)
    #expect(abs(m[5, 5] - 1.6188998589243391) < 1e-14)
  }

  @Test("a matrix that is not positive definite is refused by its failing minor")
  func notPositiveDefinite() {
    var m = Self.make([[4, 0, 0], [0, -1, 0], [0, 0, 1]])
    var caught: MatrixError?
    do { try m.factorizeCholesky() } catch { caught = error }
    #expect(caught == .notPositiveDefinite(order: 2))
  }

  @Test("a matrix with NaN ends the eigenvalue iteration with an error")
  func notFinite() {
    var m = Self.make([[.nan, 1], [1, 2]])
    var v = Matrix(order: 2)
    var caught: MatrixError?
    do { try m.diagonalizeSymmetric(vectors: &v) } catch { caught = error }
    #expect(caught == .notConverged)
  }

  @Test("products and sizes go together")
  func product() {
    let a = Self.make([[1, 2, 3], [4, 5, 6]])
    let b = Self.make([[1, 0], [0, 2], [-1, 1]])
    var c = Matrix(order: 2)
    c.set(product: a, b)
    #expect(c[0, 0] == -2 && c[0, 1] == 7 && c[1, 0] == -2 && c[1, 1] == 16)
  }

  @Test("the inverse and determinant of three by three are numpy's")
  func matrix3() throws {
    let m = Matrix3(rows: SIMD3(2, -1, 0.5), SIMD3(0.3, 4, 1.2), SIMD3(-0.7, 0.1, 1.5))
    #expect(abs(m.determinant - 14.465) < 1e-12)
    let inverse = try #require(m.inverse)
    #expect((inverse.r0 - SIMD3(0.406_498_44, 0.107_155_20, -0.221_223_64)).length < 1e-8)
    #expect((inverse.r2 - SIMD3(0.195_644_66, 0.034_566_19, 0.573_798_82)).length < 1e-8)
    let one = m * inverse
    #expect((one.r1 - SIMD3(0, 1, 0)).length < 1e-14)
    #expect(Matrix3(rows: SIMD3(1, 2, 3), SIMD3(2, 4, 6), SIMD3(0, 1, 0)).inverse == nil)
  }

  @Test("the cross-product matrix and the outer product are correct")
  func crossAndOuter() {
    let (a, b) = (SIMD3(1.0, -2, 0.5), SIMD3(3.0, 0.25, -1))
    #expect(Matrix3(crossProductWith: a) * b == a.cross(b))
    #expect(Matrix3.outer(a, b)[1, 2] == 2)
  }
}

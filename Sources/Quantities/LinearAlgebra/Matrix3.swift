/// A matrix of three rows and three columns, stored in rows, without heap storage.
public struct Matrix3: Equatable, Sendable {
  /// The first row.
  public var r0: SIMD3<Double>
  /// The second row.
  public var r1: SIMD3<Double>
  /// The third row.
  public var r2: SIMD3<Double>

  /// Makes a matrix from its rows.
  @inlinable
  public init(rows r0: SIMD3<Double>, _ r1: SIMD3<Double>, _ r2: SIMD3<Double>) {
    (self.r0, self.r1, self.r2) = (r0, r1, r2)
  }

  /// Makes a diagonal matrix.
  @inlinable
  public init(diagonal d: SIMD3<Double>) {
    self.init(rows: SIMD3(d.x, 0, 0), SIMD3(0, d.y, 0), SIMD3(0, 0, d.z))
  }

  /// Makes the matrix with `m * x == v.cross(x)`.
  @inlinable
  public init(crossProductWith v: SIMD3<Double>) {
    self.init(rows: SIMD3(0, -v.z, v.y), SIMD3(v.z, 0, -v.x), SIMD3(-v.y, v.x, 0))
  }

  /// The identity.
  @inlinable
  public static var identity: Self { Self(diagonal: SIMD3(1, 1, 1)) }
  /// The zero matrix.
  @inlinable
  public static var zero: Self { Self(diagonal: .zero) }

  /// The matrix of a rotation.
  @inlinable
  public init<A: Frame, B: Frame>(_ rotation: Rotation<A, B>) {
    let (a, b, c) = rotation.rows
    self.init(rows: a, b, c)
  }

  /// The element of a row and column, each 0 to 2.
  @inlinable
  public subscript(row: Int, column: Int) -> Double {
    get { row == 0 ? r0[column] : row == 1 ? r1[column] : r2[column] }
    set {
      switch row {
      case 0: r0[column] = newValue
      case 1: r1[column] = newValue
      default: r2[column] = newValue
      }
    }
  }

  /// The diagonal's three elements.
  @inlinable
  public var diagonal: SIMD3<Double> { SIMD3(r0.x, r1.y, r2.z) }

  /// A column, 0 to 2.
  @inlinable
  public func column(_ c: Int) -> SIMD3<Double> { SIMD3(r0[c], r1[c], r2[c]) }

  /// The transpose.
  @inlinable
  public var transposed: Self { Self(rows: column(0), column(1), column(2)) }

  /// The product with a column vector.
  @inlinable
  public static func * (m: Self, x: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(m.r0.dot(x), m.r1.dot(x), m.r2.dot(x))
  }

  /// The matrix product.
  @inlinable
  public static func * (a: Self, b: Self) -> Self {
    @inline(__always) func row(_ r: SIMD3<Double>) -> SIMD3<Double> {
      b.r0 * r.x + b.r1 * r.y + b.r2 * r.z
    }
    return Self(rows: row(a.r0), row(a.r1), row(a.r2))
  }

  /// Every element times a factor.
  @inlinable
  public static func * (m: Self, s: Double) -> Self { Self(rows: m.r0 * s, m.r1 * s, m.r2 * s) }
  /// The sum, element by element.
  @inlinable
  public static func + (a: Self, b: Self) -> Self {
    Self(rows: a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2)
  }
  /// The difference, element by element.
  @inlinable
  public static func - (a: Self, b: Self) -> Self {
    Self(rows: a.r0 - b.r0, a.r1 - b.r1, a.r2 - b.r2)
  }

  /// The determinant.
  @inlinable
  public var determinant: Double { r0.dot(r1.cross(r2)) }

  /// The inverse, by cofactors; nil if the determinant is zero or not finite.
  @inlinable
  public var inverse: Self? {
    let d = determinant
    guard d != 0, d.isFinite else { return nil }
    return Self(rows: r1.cross(r2) / d, r2.cross(r0) / d, r0.cross(r1) / d).transposed
  }

  /// The mean of the matrix and its transpose, which removes asymmetry by rounding from a
  /// covariance.
  @inlinable
  public var symmetrized: Self { (self + transposed) * 0.5 }

  /// The outer product.
  @inlinable
  public static func outer(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Self {
    Self(rows: b * a.x, b * a.y, b * a.z)
  }
}

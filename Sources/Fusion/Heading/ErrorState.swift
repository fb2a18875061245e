import Quantities

/// The order of the 14 errors that the strapdown filter estimates.
///
/// The earth frame is north-east-down with north magnetic.
enum ErrorState {
  /// Attitude, rad, earth frame, three: R_true = (1 + [attitude]x) R.
  static var attitude: Int { 0 }
  /// The third attitude error, about the vertical.
  static var heading: Int { 2 }
  /// Gyroscope bias, rad/s, body frame, three.
  static var bias: Int { 3 }
  /// Gyroscope scale, a symmetric matrix of fractions, body frame, six: xx yy zz xy xz yz.
  static var scale: Int { 6 }
  /// Level velocity, m/s, earth frame, two: the vertical one holds no information on level.
  static var velocity: Int { 12 }
  static var count: Int { 14 }
}

/// One value for each of the 14 errors and two unused zeros: a row of the covariance, a gain or a
/// sensitivity.
struct ErrorVector: Equatable, Sendable {
  private var a = SIMD8<Double>.zero
  private var b = SIMD8<Double>.zero

  static var zero: Self { Self() }

  /// The same number for all.
  init(repeating x: Double = 0) {
    a = SIMD8(repeating: x)
    b = a
  }

  /// One for the errors of one or two ranges, zero for the others.
  init(mask range: Range<Int>, _ second: Range<Int> = 0..<0) {
    self.init()
    for i in range { self[i] = 1 }
    for i in second { self[i] = 1 }
  }

  @inline(__always)
  subscript(i: Int) -> Double {
    get { i < 8 ? a[i] : b[i - 8] }
    set {
      if i < 8 {
        a[i] = newValue
      } else {
        b[i - 8] = newValue
      }
    }
  }

  /// The three that begin at `i`.
  @inline(__always)
  subscript(block i: Int) -> SIMD3<Double> {
    get { SIMD3(self[i], self[i + 1], self[i + 2]) }
    set { (self[i], self[i + 1], self[i + 2]) = (newValue.x, newValue.y, newValue.z) }
  }

  @inline(__always)
  mutating func add(_ x: Self, times k: Double) {
    a += x.a * k
    b += x.b * k
  }

  @inline(__always)
  static func + (x: Self, y: Self) -> Self {
    var sum = Self()
    (sum.a, sum.b) = (x.a + y.a, x.b + y.b)
    return sum
  }

  @inline(__always)
  static func * (x: Self, y: Self) -> Self {
    var r = x
    r.a *= y.a
    r.b *= y.b
    return r
  }

  @inline(__always)
  static func * (x: Self, k: Double) -> Self {
    var r = x
    r.a *= k
    r.b *= k
    return r
  }

  @inline(__always)
  func dot(_ x: Self) -> Double { (a * x.a + b * x.b).sum() }
}

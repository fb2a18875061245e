import Quantities

/// The order of the 24 errors that the strapdown filter estimates.
///
/// The earth frame is north-east-down with north magnetic.
enum ErrorState {
  /// Attitude, rad, earth frame, three: R_true = (1 + [attitude]x) R.
  static var attitude: Int { 0 }
  /// The third of them, about the vertical.
  static var heading: Int { 2 }
  /// Gyroscope bias, rad/s, body frame, three.
  static var bias: Int { 3 }
  /// Gyroscope scale, a symmetric matrix of fractions, body frame, six: xx yy zz xy xz yz.
  static var scale: Int { 6 }
  /// Velocity, m/s, earth frame, three.
  static var velocity: Int { 12 }
  /// What the field is off by where the body is, microtesla, earth frame, three.
  static var disturbance: Int { 15 }
  /// Iron that moves with the body, microtesla, body frame, three.
  static var iron: Int { 18 }
  /// The earth field's horizontal strength, microtesla.
  static var horizontal: Int { 21 }
  /// Its downward strength, microtesla.
  static var down: Int { 22 }
  /// The magnetometer's latency after the gyroscope, s.
  static var latency: Int { 23 }
  static var count: Int { 24 }
}

/// A number for each of the 24 errors: a row of the covariance, a gain, a sensitivity.
struct ErrorVector: Equatable, Sendable {
  private var a = SIMD8<Double>.zero
  private var b = SIMD8<Double>.zero
  private var c = SIMD8<Double>.zero

  static var zero: Self { Self() }

  /// The same number for all.
  init(repeating x: Double = 0) {
    a = SIMD8(repeating: x)
    b = a
    c = a
  }

  /// One for the errors of these ranges, zero for the others.
  init(mask ranges: Range<Int>...) {
    self.init()
    for range in ranges {
      for i in range { self[i] = 1 }
    }
  }

  @inline(__always)
  subscript(i: Int) -> Double {
    get { i < 8 ? a[i] : i < 16 ? b[i - 8] : c[i - 16] }
    set {
      if i < 8 {
        a[i] = newValue
      } else if i < 16 {
        b[i - 8] = newValue
      } else {
        c[i - 16] = newValue
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
    c += x.c * k
  }

  @inline(__always)
  static func * (x: Self, y: Self) -> Self {
    var r = x
    r.a *= y.a
    r.b *= y.b
    r.c *= y.c
    return r
  }

  @inline(__always)
  static func * (x: Self, k: Double) -> Self {
    var r = x
    r.a *= k
    r.b *= k
    r.c *= k
    return r
  }

  @inline(__always)
  func dot(_ x: Self) -> Double { (a * x.a + b * x.b + c * x.c).sum() }
}

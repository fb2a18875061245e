import Quantities
import RealModule

/// A model of the measured field: a constant earth's field and constant iron of the body, seen in
/// the attitude from gyroscope and gravity. It is a linear Kalman filter, so it converges at any
/// attitude.
///
/// In this model a wrong heading and changed iron are constant; a field that differs from place to
/// place is not. Only turning separates the two parts.
struct FieldExplanation: Equatable, Sendable {
  /// The earth's field, earth frame of the filter, microtesla.
  private(set) var earth = SIMD3<Double>.zero
  /// Iron that moves with the body, body frame, microtesla.
  private(set) var iron = SIMD3<Double>.zero
  private(set) var isOn = false
  private(set) var seconds = 0.0
  /// Log likelihood ratio of the measured field against the filter's own model.
  private(set) var evidence = 0.0
  /// Low-pass of the weight of the measurements, 0 to 1.
  private(set) var agreement = 1.0
  /// How long the model has fitted the field of a moving body, s.
  var provenSeconds = 0.0
  private var rows = CovarianceRows()

  init() {}

  /// Starts with a field and an iron.
  mutating func begin(
    _ field: SIMD3<Double>, iron: SIMD3<Double> = .zero, horizontalSigma: Double, downSigma: Double,
    ironSigma: Double
  ) {
    (earth, self.iron, isOn) = (field, iron, true)
    (seconds, evidence, agreement, provenSeconds) = (0, 0, 1, 0)
    for i in 0..<6 {
      let sigma = i < 2 ? horizontalSigma : i == 2 ? downSigma : ironSigma
      rows[i] = .zero
      rows[i][i] = sigma * sigma
    }
  }

  mutating func end() { isOn = false }

  /// Standard deviation of the earth's horizontal part, microtesla.
  var horizontalSigma: Double { ((rows[0][0] + rows[1][1]) / 2).squareRoot() }
  /// Variance of its downward part, microtesla².
  var downVariance: Double { rows[2][2] }
  /// The earth's horizontal strength, microtesla.
  var horizontal: Double { (earth.x * earth.x + earth.y * earth.y).squareRoot() }

  /// The innovation and its mean variance without noise.
  func innovation(
    _ z: SIMD3<Double>, _ rotation: Matrix3
  ) -> (value: SIMD3<Double>, variance: Double) {
    var sum = 0.0
    for k in 0..<3 {
      let h = Self.sensitivity(k, rotation)
      sum += (product(h) * h).sum()
    }
    return (z - earth - rotation * iron, sum / 3)
  }

  mutating func grow(earth e: Double, iron b: Double) {
    for i in 0..<3 {
      rows[i][i] += e
      rows[3 + i][3 + i] += b
    }
  }

  mutating func measure(_ z: SIMD3<Double>, _ rotation: Matrix3, variance: Double) {
    for k in 0..<3 {
      let h = Self.sensitivity(k, rotation)
      let g = product(h)
      let s = (g * h).sum() + variance
      let gain = g / s
      let x = z[k] - earth[k] - (rotation * iron)[k]
      earth += SIMD3(gain[0], gain[1], gain[2]) * x
      iron += SIMD3(gain[3], gain[4], gain[5]) * x
      for i in 0..<6 { rows[i] -= g * gain[i] }
    }
  }

  /// Restarts the counters, as the filter's own model or against a new one.
  mutating func becomeOwn() { (seconds, evidence, agreement, provenSeconds) = (0, 0, 1, 0) }

  /// Adds the log likelihood ratio and weight of one measurement.
  mutating func weigh(evidence more: Double = 0, weight: Double, seconds t: Double) {
    seconds += t
    evidence += more - evidence * t / Self.memory
    agreement += (weight - agreement) * min(1, t / Self.agreementTime)
  }

  /// Applies a rotation of the filter's earth frame about the vertical.
  mutating func turn(by angle: Double) {
    guard isOn, angle != 0 else { return }
    let (c, s) = (Double.cos(angle), Double.sin(angle))
    earth = SIMD3(c * earth.x - s * earth.y, s * earth.x + c * earth.y, earth.z)
    let (a, b) = (rows[0], rows[1])
    rows[0] = a * c - b * s
    rows[1] = a * s + b * c
    for i in 0..<6 {
      let (x, y) = (rows[i][0], rows[i][1])
      rows[i][0] = c * x - s * y
      rows[i][1] = s * x + c * y
    }
  }

  /// Time constant of the evidence, s.
  private static var memory: Double { 30 }
  /// Time constant of the mean weight, s.
  private static var agreementTime: Double { 3 }

  @inline(__always)
  private static func sensitivity(_ k: Int, _ rotation: Matrix3) -> SIMD8<Double> {
    let r = k == 0 ? rotation.r0 : k == 1 ? rotation.r1 : rotation.r2
    var h = SIMD8<Double>(0, 0, 0, r.x, r.y, r.z, 0, 0)
    h[k] = 1
    return h
  }

  private func product(_ h: SIMD8<Double>) -> SIMD8<Double> {
    var g = SIMD8<Double>.zero
    for i in 0..<6 { g += rows[i] * h[i] }
    return g
  }

  mutating func code(_ c: inout StateCoder) {
    c.code(&earth)
    c.code(&iron)
    c.code(&isOn)
    c.code(&seconds)
    c.code(&evidence)
    c.code(&agreement)
    c.code(&provenSeconds)
    for i in 0..<6 {
      for j in 0..<6 { c.code(&rows[i][j]) }
    }
  }
}

/// Six rows of a covariance, six of eight lanes used. Stored inline, since an array would be copied
/// to the heap.
private struct CovarianceRows: Equatable, Sendable {
  private var r0 = SIMD8<Double>.zero
  private var r1 = SIMD8<Double>.zero
  private var r2 = SIMD8<Double>.zero
  private var r3 = SIMD8<Double>.zero
  private var r4 = SIMD8<Double>.zero
  private var r5 = SIMD8<Double>.zero

  subscript(i: Int) -> SIMD8<Double> {
    @inline(__always)
    get {
      switch i {
      case 0: r0
      case 1: r1
      case 2: r2
      case 3: r3
      case 4: r4
      default: r5
      }
    }
    @inline(__always)
    set {
      switch i {
      case 0: r0 = newValue
      case 1: r1 = newValue
      case 2: r2 = newValue
      case 3: r3 = newValue
      case 4: r4 = newValue
      default: r5 = newValue
      }
    }
  }
}

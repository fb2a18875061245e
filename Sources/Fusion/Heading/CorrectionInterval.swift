import Quantities

/// Sums over one interval between two corrections.
struct CorrectionInterval: Equatable, Sendable {
  var seconds = 0.0
  /// The integral of the rotation matrix, s.
  var turned = Matrix3.zero
  /// Sensitivity of the attitude error to the scale's diagonal: the integral of the rotation
  /// matrix's columns times the rate, rad.
  var swept = Matrix3.zero
  /// The same for the scale's xy, xz and yz.
  var sheared = Matrix3.zero
  /// The integral of specific force in the earth frame, m/s.
  var pushed = SIMD3<Double>.zero
  /// The integral of its square, m²/s³.
  var pushedSquared = 0.0
  /// The integral of the squared rate of rotation, rad²/s.
  var rotationSquared = 0.0
  /// Rotation that may be lost in steps too coarse for the motion, rad².
  var jerkSquared = 0.0
  var field = FieldSum()

  mutating func add(
    rotation r: Matrix3, force: SIMD3<Double>, rate w: SIMD3<Double>, jerk: Double,
    seconds dt: Double
  ) {
    seconds += dt
    let a = Matrix3(rows: r.r0 * dt, r.r1 * dt, r.r2 * dt)
    turned = turned + a
    swept = swept + Matrix3(rows: a.r0 * w, a.r1 * w, a.r2 * w)
    func shear(_ x: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(x.x * w.y + x.y * w.x, x.x * w.z + x.z * w.x, x.y * w.z + x.z * w.y)
    }
    sheared = sheared + Matrix3(rows: shear(a.r0), shear(a.r1), shear(a.r2))
    pushed += force * dt
    pushedSquared += force.lengthSquared * dt
    rotationSquared += w.lengthSquared * dt
    jerkSquared += jerk * jerk
  }

  mutating func clear() { self = CorrectionInterval() }
}

/// The field samples of an interval.
struct FieldSum: Equatable, Sendable {
  var seconds = 0.0
  var count = 0.0
  var field = SIMD3<Double>.zero
  var turning = SIMD3<Double>.zero
  var rotation = Matrix3.zero

  /// Mean field in the earth frame, microtesla.
  var meanField: SIMD3<Double> { field / count }
  /// Mean of rate x field in the earth frame, microtesla/s.
  var meanTurning: SIMD3<Double> { turning / count }
  /// Mean rotation matrix, body to earth.
  var meanRotation: Matrix3 { rotation * (1 / count) }

  mutating func add(
    _ z: SIMD3<Double>, turning x: SIMD3<Double>, rotation r: Matrix3, seconds dt: Double
  ) {
    field += z
    turning += x
    rotation = rotation + r
    count += 1
    seconds += dt
  }

  /// Applies a rotation of the earth frame.
  mutating func turn(by change: Rotation<MagneticEarthFrame, MagneticEarthFrame>) {
    let matrix = Matrix3(change)
    field = matrix * field
    turning = matrix * turning
    rotation = matrix * rotation
  }
}

extension CorrectionInterval {
  mutating func code(_ c: inout StateCoder) {
    c.code(&seconds)
    c.code(&turned)
    c.code(&swept)
    c.code(&sheared)
    c.code(&pushed)
    c.code(&pushedSquared)
    c.code(&rotationSquared)
    c.code(&jerkSquared)
    c.code(&field.seconds)
    c.code(&field.count)
    c.code(&field.field)
    c.code(&field.turning)
    c.code(&field.rotation)
  }
}

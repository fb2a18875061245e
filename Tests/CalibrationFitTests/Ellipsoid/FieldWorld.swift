import CalibrationFit
import Quantities
import Testing

/// A board with a known distortion in a known field, and ways to turn it.
struct FieldWorld {
  var distortion: FieldDistortion
  /// North, east, down, microtesla.
  var field = SIMD3(18.0, 0, 42)
  var random: NumberSequence

  /// A distortion of a condition number, turned by an angle in degrees, with a hard iron so large.
  init(seed: UInt64, condition: Double = 1.4, misalignment: Double = 0, offset: Double = 25) {
    random = NumberSequence(seed: seed)
    let turn = Self.matrix(random.direction() * random.uniform(0, 3))
    let root = condition.squareRoot()
    let stretch = turn * Matrix3(diagonal: SIMD3(root, 1, 1 / root)) * turn.transposed
    let tilt = Self.matrix(random.direction() * (misalignment * .pi / 180))
    distortion = FieldDistortion(shape: stretch * tilt, offset: random.direction() * offset)
  }

  /// The magnetometer's output at an attitude, which takes body to north, east, down.
  func measured(_ attitude: Matrix3) -> SIMD3<Double> {
    distortion.shape * (attitude.transposed * field) + distortion.offset
  }

  /// Observations at attitudes a second apart, with noise on the field and on gravity.
  mutating func observations(
    _ attitudes: [Matrix3], noise: Double = 0.5, gravityNoise: Double? = nil
  ) -> [FieldObservation] {
    attitudes.enumerated().map { i, attitude in
      let measured = measured(attitude) + random.vector() * noise
      let down = gravityNoise.map {
        (attitude.transposed * SIMD3(0, 0, 1) + random.vector() * $0).normalized ?? .zero
      }
      return FieldObservation(
        timestamp: Timestamp(nanoseconds: UInt64(i) * 1_000_000_000), field: measured,
        axes: down.map {
          ReferenceAxes(x: .zero, y: .zero, down: $0, isYawCarried: false)
        })
    }
  }

  /// Attitudes all over.
  mutating func tumble(_ count: Int = 300) -> [Matrix3] {
    (0..<count).map { _ in Self.matrix(random.direction() * random.uniform(0, .pi)) }
  }

  /// Turns through degrees of heading, tilted up to so many degrees.
  mutating func turns(_ degrees: Double, tilt: Double, count: Int = 300) -> [Matrix3] {
    (0..<count).map { i in
      let yaw = degrees * .pi / 180 * Double(i) / Double(count)
      let lean = SIMD3(random.normal(), random.normal(), 0).normalized ?? SIMD3(1, 0, 0)
      let angle = random.uniform(0, tilt) * .pi / 180
      return Self.matrix(SIMD3(0, 0, yaw)) * Self.matrix(lean * angle)
    }
  }

  /// Root mean square heading error in degrees that an estimate leaves, tilted by so many degrees.
  func headingError(_ estimate: DistortionEstimate, tilt: Double) throws -> Double {
    var sum = 0.0
    for attitude in Self.ring(tilt: tilt) {
      let error = try headingErrorNow(estimate, attitude)
      sum += error * error
    }
    return (sum / Double(Self.ring(tilt: tilt).count)).squareRoot()
  }

  /// The heading's error at an attitude, degrees.
  func headingErrorNow(_ estimate: DistortionEstimate, _ attitude: Matrix3) throws -> Double {
    let inverse = try #require(estimate.distortion.shape.inverse)
    let level = attitude * (inverse * (measured(attitude) - estimate.distortion.offset))
    let angle = Angle(radians: NumberSequence.atan2(level.y, level.x)).wrappedToHalfTurn
    return abs(angle.degrees)
  }

  /// The covariance's prediction of that error, one sigma in degrees.
  func predictedError(_ estimate: DistortionEstimate, _ attitude: Matrix3) throws -> Double {
    let inverse = try #require(estimate.distortion.shape.inverse)
    let v = attitude.transposed * field
    let q = inverse.transposed * (attitude.transposed * SIMD3(0, 1, 0)) / field.x
    var factors: [Double] = []
    for i in 0..<3 { for j in 0..<3 { factors.append(q[i] * v[j]) } }
    for i in 0..<3 { factors.append(q[i]) }
    var sum = 0.0
    for i in 0..<12 {
      for j in 0..<12 { sum += factors[i] * estimate.covariance[i, j] * factors[j] }
    }
    return Angle(radians: max(0, sum).squareRoot()).degrees
  }

  /// Twelve headings, leaned each another way.
  static func ring(tilt: Double) -> [Matrix3] {
    (0..<12).map { i in
      let (yaw, to) = (Double(i) * .pi / 6, Double(i) * 2.1)
      let lean = SIMD3(NumberSequence.cos(to), NumberSequence.sin(to), 0) * (tilt * .pi / 180)
      return matrix(SIMD3(0, 0, yaw)) * matrix(lean)
    }
  }

  static func matrix(_ rotation: SIMD3<Double>) -> Matrix3 {
    Matrix3(Rotation<BodyFrame, BodyFrame>(rotationVector: rotation))
  }
}

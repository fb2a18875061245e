import CalibrationFit
import Quantities

/// Iron as a board may have it: soft iron of condition 1.1 to 1.6 along any axes, hard iron of 30
/// to 80 % of the field, and the magnetometer turned against the inertial unit about any axis.
struct DrawnDistortion: Sendable {
  /// The field's strength in the trials' room, microtesla.
  private static let strength = 44.0

  var shape: Matrix3
  var offset: SIMD3<Double>

  /// No distortion.
  static var none: DrawnDistortion { DrawnDistortion(shape: .identity, offset: .zero) }

  /// One that was found.
  init(_ found: FieldDistortion) { self.init(shape: found.shape, offset: found.offset) }

  private init(shape: Matrix3, offset: SIMD3<Double>) {
    (self.shape, self.offset) = (shape, offset)
  }

  /// Draws one; the magnetometer is turned by so many degrees.
  init(seed: Int, misalignment: Double) {
    var draws = Draws(seed: seed * 7919 + 13)
    let direction = draws.vector()
    offset = direction * ((0.3 + 0.5 * draws.uniform()) * Self.strength / direction.length)
    let axes = draws.orientation()
    let turn = draws.direction() * (misalignment * .pi / 180)
    let condition = 1.1 + 0.5 * draws.uniform()
    let stretch = Matrix3(
      diagonal: SIMD3(condition.squareRoot(), 1, 1 / condition.squareRoot()))
    let soft = axes * stretch * axes.transposed
    shape = soft * Matrix3(Rotation<BodyFrame, BodyFrame>(rotationVector: turn))
  }

  /// The same where the magnetometer is mounted another way.
  func mounted(_ mount: SignedAxes) -> DrawnDistortion {
    var other = self
    other.shape = shape * mount.matrix
    return other
  }

  /// The observations of the distorted magnetometer.
  func callAsFunction(_ observations: [FieldObservation]) -> [FieldObservation] {
    observations.map { self($0) }
  }

  /// The observation of the distorted magnetometer.
  func callAsFunction(_ observation: FieldObservation) -> FieldObservation {
    var distorted = observation
    distorted.field = shape * observation.field + offset
    return distorted
  }
}

import Quantities
import RealModule

/// The axes of ROS and those of this project: the body is x forward, y left, z up (ours: x forward,
/// y right, z down), the earth is x east, y north, z up (ours: x north, y east, z down).
/// - Source: ROS REP 103, "Coordinate Frame Conventions"; REP 145, "Conventions for IMU Sensor
///   Drivers".
package enum ROSAxes {
  /// A vector of the body in ROS's axes, and back: half a turn about x.
  package static func body(_ v: SIMD3<Double>) -> SIMD3<Double> { SIMD3(v.x, -v.y, -v.z) }

  /// A vector of the earth in ROS's axes, and back.
  package static func earth(_ v: SIMD3<Double>) -> SIMD3<Double> { SIMD3(v.y, v.x, -v.z) }

  /// A covariance over north, east and down as rows over east, north and up.
  package static func earth(_ m: Matrix3) -> [Double] {
    [m[1, 1], m[0, 1], -m[1, 2], m[1, 0], m[0, 0], -m[0, 2], -m[2, 1], -m[2, 0], m[2, 2]]
  }

  /// A covariance over east, north and up as one over north, east and down.
  package static func covariance(fromEarth m: [Double]) -> Matrix3 {
    Matrix3(rows: SIMD3(m[4], m[3], -m[5]), SIMD3(m[1], m[0], -m[2]), SIMD3(-m[7], -m[6], m[8]))
  }

  /// The orientation of ROS's body in ROS's earth, x y z w.
  package static func orientation<Earth: Frame>(
    _ attitude: Rotation<BodyFrame, Earth>
  ) -> SIMD4<Double> {
    // Half a turn about (1, 1, 0) takes north, east, down to east, north, up; half a turn about x
    // takes left and up to right and down.
    let h = 0.5.squareRoot()
    let toEarth = Rotation<Earth, Earth>(restoring: 0, SIMD3(h, h, 0))
    let toBody = Rotation<BodyFrame, BodyFrame>(restoring: 0, SIMD3(1, 0, 0))
    let turned = toEarth * attitude * toBody
    // The scalar part positive: one of the two quaternions of a rotation.
    let sign = turned.w < 0 ? -1.0 : 1.0
    return SIMD4(turned.v.x, turned.v.y, turned.v.z, turned.w) * sign
  }
}

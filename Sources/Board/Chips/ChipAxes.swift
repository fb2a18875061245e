import Configuration
import Quantities

/// From the axes of a chip to those of its board, which is mounted x forward, y left, z up.
struct ChipAxes: Sendable {
  /// The rotation, after the mirror.
  let toBoard: Rotation<SensorFrame, SensorFrame>
  /// Whether the chip's x axis is reversed before, as the board file says of left-handed axes.
  private let isMirrored: Bool

  init(_ mount: Mounting) {
    toBoard =
      AxisMount.standard.rotation.inverse * (mount.rotation ?? AxisMount.standard.rotation)
    isMirrored = mount.isMirrored
  }

  /// A vector along the board's axes.
  func callAsFunction(_ v: SIMD3<Double>) -> SIMD3<Double> {
    toBoard.rotate(isMirrored ? SIMD3(-v.x, v.y, v.z) : v)
  }
}

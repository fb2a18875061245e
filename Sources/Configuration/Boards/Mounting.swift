import Quantities

/// The mount of a sensor, or of the board with all of its sensors, on the body.
public enum Mounting: Equatable, Sendable {
  /// The directions of the axes.
  case axes(AxisMount)
  /// By angles: a board with x forward, y left and z up, turned by heading (clockwise), then pitch
  /// (bow up), then roll (right side down).
  case rotation(AttitudeAngles)
  /// To be determined: gravity gives the down direction, and the board's x axis is assumed to point
  /// forward. The heading then has an unknown offset until a calibration determines it.
  case automatic

  /// The default mount: x forward, y left, z up.
  public static var standard: Mounting { .axes(.standard) }

  /// True where the sensor's x axis is reversed before `rotation`.
  public var isMirrored: Bool {
    if case .axes(let mount) = self { mount.isMirrored } else { false }
  }

  /// The sensor's axes in body axes, as columns, mirrored where they are; nil where they are not
  /// determined yet.
  public var matrix: Matrix3? {
    rotation.map { isMirrored ? Matrix3($0) * Matrix3(diagonal: SIMD3(-1, 1, 1)) : Matrix3($0) }
  }

  /// Takes sensor axes to body axes; nil where it is not determined yet.
  public var rotation: Rotation<SensorFrame, BodyFrame>? {
    switch self {
    case .axes(let mount): mount.rotation
    case .rotation(let angles):
      Rotation<BodyFrame, BodyFrame>(angles) * AxisMount.standard.rotation
    case .automatic: nil
    }
  }
}

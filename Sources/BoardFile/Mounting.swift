import Quantities

/// How a sensor, or the board with all of its sensors, sits on the body.
public enum Mounting: Equatable, Sendable {
  /// By what the axes point at.
  case axes(AxisMount)
  /// By angles: a board with x forward, y left and z up, turned by heading (clockwise), then pitch (bow
  /// up), then roll (right side down).
  case rotation(AttitudeAngles)
  /// To be found out: gravity tells which way is down, and the board's x axis is taken to point forward.
  /// Heading then has an offset that nobody knows until a calibration finds it.
  case automatic

  /// The mounting where nothing is said: x forward, y left, z up.
  public static var standard: Mounting { .axes(.standard) }

  /// Takes sensor axes to body axes; nil where it has to be found out.
  public var rotation: Rotation<SensorFrame, BodyFrame>? {
    switch self {
    case .axes(let mount): mount.rotation
    case .rotation(let angles):
      Rotation<BodyFrame, BodyFrame>(angles) * AxisMount.standard.rotation
    case .automatic: nil
    }
  }
}

import Quantities
import RealModule

/// The attitude CSV: one row for each inertial sample.
///
/// `w,x,y,z` is the quaternion (Hamilton, scalar first) that takes a sensor-frame vector into
/// east-north-up with north magnetic; `heading_accuracy_deg` is the radius that holds 95 % of
/// heading errors, -1 where it is not known.
public enum AttitudeCSV {
  /// The header line without a line end.
  public static let header = "w,x,y,z,heading_accuracy_deg"

  /// East-north-up differs from north-east-down by half a turn about the axis between north and
  /// east.
  private static let upwards = Rotation<MagneticEarthFrame, EastNorthUp>(
    rotationVector: SIMD3(1, 1, 0) * (Double.pi / 2.0.squareRoot()))

  /// Appends a row without a line end. An attitude that is not known is the identity with accuracy
  /// -1.
  public static func append(
    _ attitude: Rotation<SensorFrame, MagneticEarthFrame>?, accuracy: Angle?, to line: inout [UInt8]
  ) {
    let q: Rotation<SensorFrame, EastNorthUp> = attitude.map { upwards * $0 } ?? .identity
    for component in [q.w, q.v.x, q.v.y, q.v.z] {
      line.append(component, decimals: 9)
      line.append(ascii: ",")
    }
    let known = attitude == nil ? nil : accuracy
    line.append(known?.degrees ?? -1, decimals: 3)
  }
}

/// The earth with x magnetic east, y magnetic north, z up.
private enum EastNorthUp: Frame {}

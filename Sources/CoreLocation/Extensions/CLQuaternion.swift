internal import Quantities

/// A rotation from one set of axes to another.
///
/// Hamilton's convention, right-handed, scalar first: `v' = q v q*`. Any length but zero represents
/// a rotation. A Lodestar extension.
public struct CLQuaternion: Codable, Hashable, Sendable {
  /// The scalar part.
  public var w: Double
  /// The vector part along the first axis.
  public var x: Double
  /// The vector part along the second axis.
  public var y: Double
  /// The vector part along the third axis.
  public var z: Double

  /// Makes a quaternion from its parts.
  public init(w: Double, x: Double, y: Double, z: Double) {
    (self.w, self.x, self.y, self.z) = (w, x, y, z)
  }

  /// Makes the rotation about an axis, right-handed.
  /// - Parameters:
  ///   - degrees: The angle.
  ///   - axis: The axis, of any length; the zero vector gives the identity.
  public init(degrees: CLLocationDegrees, about axis: CLVector3) {
    let length = axis.magnitude
    guard length > 0 else {
      self = .identity
      return
    }
    let half = degrees * .pi / 360
    let s = sin(half) / length
    self.init(w: cos(half), x: axis.x * s, y: axis.y * s, z: axis.z * s)
  }

  /// The identity rotation.
  public static var identity: CLQuaternion { CLQuaternion(w: 1, x: 0, y: 0, z: 0) }

  /// The inverse rotation, of the same length.
  public var conjugate: CLQuaternion { CLQuaternion(w: w, x: -x, y: -y, z: -z) }

  /// Applies the right operand first, then the left one.
  public static func * (a: CLQuaternion, b: CLQuaternion) -> CLQuaternion {
    let scalar = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z
    let x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y
    let y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x
    let z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w
    return CLQuaternion(w: scalar, x: x, y: y, z: z)
  }

  /// The rotated vector; a zero quaternion returns the vector itself.
  public func callAsFunction(_ vector: CLVector3) -> CLVector3 {
    let squared = w * w + x * x + y * y + z * z
    guard squared > 0 else { return vector }
    let turned = self * CLQuaternion(w: 0, x: vector.x, y: vector.y, z: vector.z) * conjugate
    return CLVector3(x: turned.x / squared, y: turned.y / squared, z: turned.z / squared)
  }
}

// The axes of the engine: forward, right, down and north, east, down.
extension CLQuaternion {
  /// Converts a rotation between the engine's axes to one between the device's axes and east,
  /// north, up.
  init<From: Frame, To: Frame>(exchanging rotation: Rotation<From, To>) {
    let v = CLVector3(exchanging: rotation.v)
    self.init(w: rotation.w, x: v.x, y: v.y, z: v.z)
  }

  /// The same rotation between the engine's axes; nil for a zero quaternion.
  func exchanged<From: Frame, To: Frame>() -> Rotation<From, To>? {
    let v = CLVector3(x: x, y: y, z: z).exchanged
    return Rotation(w: w, x: v.x, y: v.y, z: v.z)
  }
}

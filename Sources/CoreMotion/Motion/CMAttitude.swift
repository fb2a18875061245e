internal import CoreLocation
import Foundation

/// The orientation of the device relative to a reference frame.
///
/// The quaternion takes a vector of the device (right, top, out of the face) into the reference
/// frame (x by the frame, y to its left, z up); the matrix, as Apple's, is the inverse and takes a
/// vector of the frame into the device. The device's identity: level, with its right along the
/// frame's x.
open class CMAttitude: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Unchecked: changed by `multiply` only, by the program that owns it.
  private var rotation: CLQuaternion

  private static let key = "quaternion"

  /// True: attitudes support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes the attitude of the reference frame itself.
  public override init() {
    rotation = .identity
    super.init()
  }

  init(_ rotation: CLQuaternion) {
    self.rotation = rotation
    super.init()
  }

  /// Makes an attitude from the one relative to magnetic east, north and up, with x to magnetic
  /// north turned by an angle, degrees counterclockwise.
  convenience init(_ attitude: CLAttitude, turnedBy degrees: Double) {
    let up = CLVector3(x: 0, y: 0, z: 1)
    // From east and north to north and west.
    self.init(CLQuaternion(degrees: degrees - 90, about: up) * attitude.rotation)
  }

  /// The rotation as a quaternion.
  open var quaternion: CMQuaternion {
    CMQuaternion(x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w)
  }

  /// The rotation from the reference frame into the device, as a matrix.
  open var rotationMatrix: CMRotationMatrix {
    let (x, y, z) = axes
    return CMRotationMatrix(
      m11: x.x, m12: x.y, m13: x.z, m21: y.x, m22: y.y, m23: y.z, m31: z.x, m32: z.y, m33: z.z)
  }

  /// The device's axes in the reference frame.
  private var axes: (x: CLVector3, y: CLVector3, z: CLVector3) {
    (
      rotation(CLVector3(x: 1, y: 0, z: 0)), rotation(CLVector3(x: 0, y: 1, z: 0)),
      rotation(CLVector3(x: 0, y: 0, z: 1))
    )
  }

  /// The angle about the top, radians.
  open var roll: Double { atan2(-axes.x.z, axes.z.z) }
  /// The angle about the right, radians.
  open var pitch: Double { asin(min(max(axes.y.z, -1), 1)) }
  /// The angle about the vertical, radians, counterclockwise as seen from above.
  open var yaw: Double { atan2(-axes.y.x, axes.y.y) }

  /// Makes this attitude the one relative to another.
  open func multiply(byInverseOf attitude: CMAttitude) {
    let q = attitude.quaternion
    rotation = CLQuaternion(w: q.w, x: q.x, y: q.y, z: q.z).conjugate * rotation
  }

  /// A copy, which `multiply` may change.
  open func copy(with zone: NSZone? = nil) -> Any { CMAttitude(rotation) }

  /// Reads an attitude from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let q = coder.decodeNumbers(4, forKey: Self.key) else { return nil }
    rotation = CLQuaternion(w: q[0], x: q[1], y: q[2], z: q[3])
    super.init()
  }

  /// Writes the attitude into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode([rotation.w, rotation.x, rotation.y, rotation.z], forKey: Self.key)
  }

  /// A vector of the reference frame along the device's axes.
  func inDevice(_ vector: CLVector3) -> CLVector3 { rotation.conjugate(vector) }
}

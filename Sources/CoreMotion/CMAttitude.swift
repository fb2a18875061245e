internal import CoreLocation
import Foundation

/// A rotation matrix.
public struct CMRotationMatrix: Hashable, Sendable {
  /// The first row.
  public var m11 = 1.0, m12 = 0.0, m13 = 0.0
  /// The second row.
  public var m21 = 0.0, m22 = 1.0, m23 = 0.0
  /// The third row.
  public var m31 = 0.0, m32 = 0.0, m33 = 1.0

  /// The identity.
  public init() {}
}

/// A unit quaternion.
public struct CMQuaternion: Hashable, Sendable {
  /// The vector part.
  public var x = 0.0, y = 0.0, z = 0.0
  /// The scalar part.
  public var w = 1.0

  /// The identity.
  public init() {}
  /// Makes a quaternion from its parts.
  public init(x: Double, y: Double, z: Double, w: Double) {
    (self.x, self.y, self.z, self.w) = (x, y, z, w)
  }
}

/// The orientation of the device relative to a reference frame.
///
/// Rotation and quaternion take a vector of the device (right, top, out of the face) into the
/// reference frame (x by the frame, y to its left, z up). The device's identity: level, with its
/// right along the frame's x.
open class CMAttitude: NSObject, NSCopying, @unchecked Sendable {
  // Unchecked: changed by `multiply` only, by the program that owns it.
  private var rotation: CLQuaternion

  init(_ rotation: CLQuaternion) { self.rotation = rotation }

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

  /// The rotation as a matrix.
  open var rotationMatrix: CMRotationMatrix {
    let columns = [(1.0, 0.0, 0.0), (0, 1, 0), (0, 0, 1)].map {
      rotation(CLVector3(x: $0.0, y: $0.1, z: $0.2))
    }
    var matrix = CMRotationMatrix()
    (matrix.m11, matrix.m21, matrix.m31) = (columns[0].x, columns[0].y, columns[0].z)
    (matrix.m12, matrix.m22, matrix.m32) = (columns[1].x, columns[1].y, columns[1].z)
    (matrix.m13, matrix.m23, matrix.m33) = (columns[2].x, columns[2].y, columns[2].z)
    return matrix
  }

  /// The angle about the top, radians.
  open var roll: Double { atan2(-rotationMatrix.m31, rotationMatrix.m33) }
  /// The angle about the right, radians.
  open var pitch: Double { asin(min(max(rotationMatrix.m32, -1), 1)) }
  /// The angle about the vertical, radians, counterclockwise as seen from above.
  open var yaw: Double { atan2(-rotationMatrix.m12, rotationMatrix.m22) }

  /// Makes this attitude the one relative to another.
  open func multiply(byInverseOf attitude: CMAttitude) {
    rotation = attitude.rotation.conjugate * rotation
  }

  /// A copy, which `multiply` may change.
  open func copy(with zone: NSZone? = nil) -> Any { CMAttitude(rotation) }

  /// A vector of the reference frame along the device's axes.
  func inDevice(_ vector: CLVector3) -> CLVector3 { rotation.conjugate(vector) }
}

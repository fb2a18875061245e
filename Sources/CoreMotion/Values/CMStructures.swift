// Apple's C structures: no conformance that C does not give, so that a program may add its own, and
// zero in every field of `init()`.

/// An acceleration along the device's axes, in units of 9.80665 m/s²: -1 along z at rest, face up.
public struct CMAcceleration: Sendable {
  /// Along the right.
  public var x = 0.0
  /// Along the top.
  public var y = 0.0
  /// Out of the face.
  public var z = 0.0

  /// No acceleration.
  public init() {}
  /// Makes an acceleration.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A rate of rotation about the device's axes, right-handed, rad/s.
public struct CMRotationRate: Sendable {
  /// About the right.
  public var x = 0.0
  /// About the top.
  public var y = 0.0
  /// About the face's normal.
  public var z = 0.0

  /// No rotation.
  public init() {}
  /// Makes a rate.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A magnetic field along the device's axes, microtesla.
public struct CMMagneticField: Sendable {
  /// Along the right.
  public var x = 0.0
  /// Along the top.
  public var y = 0.0
  /// Out of the face.
  public var z = 0.0

  /// No field.
  public init() {}
  /// Makes a field.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A calibrated magnetic field.
public struct CMCalibratedMagneticField: Sendable {
  /// The field without that of the device.
  public var field = CMMagneticField()
  /// How well the magnetometer is calibrated.
  public var accuracy = CMMagneticFieldCalibrationAccuracy.low

  /// A field of zero; the accuracy whose number is zero is `low`.
  public init() {}
  /// Makes a field.
  public init(field: CMMagneticField, accuracy: CMMagneticFieldCalibrationAccuracy) {
    (self.field, self.accuracy) = (field, accuracy)
  }
}

/// A quaternion; a unit quaternion is a rotation.
public struct CMQuaternion: Sendable {
  /// The vector part along x.
  public var x = 0.0
  /// The vector part along y.
  public var y = 0.0
  /// The vector part along z.
  public var z = 0.0
  /// The scalar part.
  public var w = 0.0

  /// Zero, which is no rotation.
  public init() {}
  /// Makes a quaternion from its parts.
  public init(x: Double, y: Double, z: Double, w: Double) {
    (self.x, self.y, self.z, self.w) = (x, y, z, w)
  }
}

/// A rotation matrix, by rows.
public struct CMRotationMatrix: Sendable {
  /// The first row.
  public var m11 = 0.0, m12 = 0.0, m13 = 0.0
  /// The second row.
  public var m21 = 0.0, m22 = 0.0, m23 = 0.0
  /// The third row.
  public var m31 = 0.0, m32 = 0.0, m33 = 0.0

  /// Zeros, which are no rotation.
  public init() {}
  /// Makes a matrix from its elements.
  public init(
    m11: Double, m12: Double, m13: Double, m21: Double, m22: Double, m23: Double, m31: Double,
    m32: Double, m33: Double
  ) {
    (self.m11, self.m12, self.m13) = (m11, m12, m13)
    (self.m21, self.m22, self.m23) = (m21, m22, m23)
    (self.m31, self.m32, self.m33) = (m31, m32, m33)
  }
}

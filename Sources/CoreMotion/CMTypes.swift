@_exported import Foundation

/// A value with the time of its measurement.
open class CMLogItem: NSObject, @unchecked Sendable {
  // Unchecked: an item never changes, and neither do the package's subclasses.

  /// Seconds since the machine's start.
  public let timestamp: TimeInterval

  init(timestamp: TimeInterval) { self.timestamp = timestamp }
}

/// An acceleration along the device's axes, in units of 9.80665 m/s²: -1 along z at rest, face up.
public struct CMAcceleration: Hashable, Sendable {
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
public struct CMRotationRate: Hashable, Sendable {
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
public struct CMMagneticField: Hashable, Sendable {
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

/// How well the magnetometer is calibrated.
public enum CMMagneticFieldCalibrationAccuracy: Int32, Sendable {
  /// Not calibrated.
  case uncalibrated = -1
  /// A predicted heading error of more than 6 degrees.
  case low = 0
  /// Of 3 to 6 degrees.
  case medium = 1
  /// Below 3 degrees.
  case high = 2
}

/// A calibrated magnetic field.
public struct CMCalibratedMagneticField: Hashable, Sendable {
  /// The field without that of the device.
  public var field = CMMagneticField()
  /// How well the magnetometer is calibrated.
  public var accuracy = CMMagneticFieldCalibrationAccuracy.uncalibrated

  /// An uncalibrated field of zero.
  public init() {}
  /// Makes a field.
  public init(field: CMMagneticField, accuracy: CMMagneticFieldCalibrationAccuracy) {
    (self.field, self.accuracy) = (field, accuracy)
  }
}

/// The frame that an attitude refers to; z points up.
public struct CMAttitudeReferenceFrame: OptionSet, Sendable {
  /// The frames as bits.
  public let rawValue: UInt
  /// Makes frames from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// x in the horizontal direction of the device's right at the first update.
  public static let xArbitraryZVertical = CMAttitudeReferenceFrame(rawValue: 1)
  /// The same; the magnetometer corrects the drift, as it does here for every frame.
  public static let xArbitraryCorrectedZVertical = CMAttitudeReferenceFrame(rawValue: 2)
  /// x to magnetic north.
  public static let xMagneticNorthZVertical = CMAttitudeReferenceFrame(rawValue: 4)
  /// x to true north; needs a position.
  public static let xTrueNorthZVertical = CMAttitudeReferenceFrame(rawValue: 8)
}

/// Whether a program may use motion data.
public enum CMAuthorizationStatus: Int, Sendable {
  /// Not decided yet.
  case notDetermined = 0
  /// The administrator restricts it.
  case restricted = 1
  /// The policy denies it, or there is no source.
  case denied = 2
  /// It may.
  case authorized = 3
}

/// The domain of Core Motion's errors.
public let CMErrorDomain = "CMErrorDomain"

/// A code of `CMErrorDomain`.
public struct CMError: RawRepresentable, Hashable, Sendable {
  /// The code.
  public var rawValue: UInt32
  /// Makes a code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// An unknown error.
public let CMErrorUnknown = CMError(rawValue: 103)
/// Activities of the past are not stored.
public let CMErrorMotionActivityNotAvailable = CMError(rawValue: 104)
/// No source of motion data can be opened.
public let CMErrorNotAvailable = CMError(rawValue: 109)
/// The program has no access to motion data.
public let CMErrorNotAuthorized = CMError(rawValue: 111)

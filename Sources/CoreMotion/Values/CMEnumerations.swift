@_exported import Foundation

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

import Foundation

/// The domain of Core Motion's errors.
public let CMErrorDomain = "CMErrorDomain"

/// A code of `CMErrorDomain`.
public struct CMError: RawRepresentable, Hashable, Sendable {
  /// The code.
  public var rawValue: UInt32
  /// Makes a code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Makes a code.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// No error.
public let CMErrorNULL = CMError(100)
/// The device has to be moved first. Not used here: nothing waits for a movement.
public let CMErrorDeviceRequiresMovement = CMError(101)
/// There is no true north: no compass, or nothing that gives a position.
public let CMErrorTrueNorthNotAvailable = CMError(102)
/// An unknown error.
public let CMErrorUnknown = CMError(103)
/// No sensor detects activities or steps.
public let CMErrorMotionActivityNotAvailable = CMError(104)
/// The program has no access to activities and steps.
public let CMErrorMotionActivityNotAuthorized = CMError(105)
/// An entitlement is missing. Not used here.
public let CMErrorMotionActivityNotEntitled = CMError(106)
/// An argument is invalid, as a period that ends before it starts.
public let CMErrorInvalidParameter = CMError(107)
/// The action is invalid. Not used here.
public let CMErrorInvalidAction = CMError(108)
/// There is no such sensor, or no source of motion data can be opened.
public let CMErrorNotAvailable = CMError(109)
/// An entitlement is missing. Not used here.
public let CMErrorNotEntitled = CMError(110)
/// The program has no access to motion data.
public let CMErrorNotAuthorized = CMError(111)
/// There is no data. Not used here.
public let CMErrorNilData = CMError(112)
/// Data of a wrong size. Not used here.
public let CMErrorSize = CMError(113)

extension CMError {
  /// The error of this code as handlers receive it.
  func error(_ reason: String) -> NSError {
    NSError(
      domain: CMErrorDomain, code: Int(rawValue), userInfo: [NSLocalizedDescriptionKey: reason])
  }
}

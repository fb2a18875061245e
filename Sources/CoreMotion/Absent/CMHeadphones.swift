internal import CoreLocation
import Foundation

/// Motion of headphones; never available.
open class CMHeadphoneMotionManager: NSObject {
  /// Receives attitude and motion, or an error.
  public typealias DeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

  /// Receives connections; never called.
  open weak var delegate: (any CMHeadphoneMotionManagerDelegate)?

  /// Makes a manager.
  public override init() { super.init() }

  /// Denied: there is nothing.
  open class func authorizationStatus() -> CMAuthorizationStatus { AbsentFeature.authorization }
  /// False.
  open var isDeviceMotionAvailable: Bool { false }
  /// False.
  open var isDeviceMotionActive: Bool { false }
  /// nil.
  open var deviceMotion: CMDeviceMotion? { nil }
  /// False.
  open var isConnectionStatusActive: Bool { false }
  /// Has no effect.
  open func startDeviceMotionUpdates() {}
  /// Reports `CMErrorNotAvailable`.
  open func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping DeviceMotionHandler
  ) { Delivery(queue, handler).fail(AbsentFeature.headphones.error) }
  /// Has no effect.
  open func stopDeviceMotionUpdates() {}
  /// Has no effect.
  open func startConnectionStatusUpdates() {}
  /// Has no effect.
  open func stopConnectionStatusUpdates() {}
}

/// Receives connections of headphones.
public protocol CMHeadphoneMotionManagerDelegate: NSObjectProtocol {
  /// Headphones were connected.
  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager)
  /// Headphones were disconnected.
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager)
}

// Optional on Apple's platforms.
extension CMHeadphoneMotionManagerDelegate {
  /// Has no effect.
  public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}
  /// Has no effect.
  public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}

/// Activities by headphones; never available.
open class CMHeadphoneActivityManager: NSObject {
  /// Whether headphones are connected.
  public enum Status: Int, Sendable {
    /// They are not.
    case disconnected = 0
    /// They are.
    case connected = 1
  }
  /// Receives connections, or an error.
  public typealias StatusHandler = (Status, (any Error)?) -> Void
  /// Receives activities, or an error.
  public typealias ActivityHandler = (CMMotionActivity?, (any Error)?) -> Void

  /// Makes a manager.
  public override init() { super.init() }

  /// Denied: there is nothing.
  open class func authorizationStatus() -> CMAuthorizationStatus { AbsentFeature.authorization }
  /// False.
  open var isActivityAvailable: Bool { false }
  /// False.
  open var isActivityActive: Bool { false }
  /// False.
  open var isStatusAvailable: Bool { false }
  /// False.
  open var isStatusActive: Bool { false }
  /// Reports `CMErrorNotAvailable`.
  open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping ActivityHandler
  ) { Delivery(queue, handler).fail(AbsentFeature.headphones.error) }
  /// Has no effect.
  open func stopActivityUpdates() {}
  /// Reports `CMErrorNotAvailable`.
  open func startStatusUpdates(
    to queue: OperationQueue, withHandler handler: @escaping StatusHandler
  ) {
    let handler = ProgramValue(value: handler)
    queue.addOperation { handler.value(.disconnected, AbsentFeature.headphones.error) }
  }
  /// Has no effect.
  open func stopStatusUpdates() {}
}

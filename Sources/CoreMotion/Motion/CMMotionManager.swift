internal import CoreLocation
import Foundation
internal import LinuxIO

/// Receives samples of the accelerometer, or an error.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// Receives samples of the gyroscope, or an error.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// Receives samples of the magnetometer, or an error.
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
/// Receives attitude and motion, or an error.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

/// Reports samples of the sensors, and attitude and motion of the device.
open class CMMotionManager: NSObject {
  /// Of each kind of update, seconds.
  private static let usualInterval = 0.01

  private let accelerometer = Updates<CMAccelerometerData>(every: usualInterval)
  private let gyro = Updates<CMGyroData>(every: usualInterval)
  private let magnetometer = Updates<CMMagnetometerData>(every: usualInterval)
  private let motion = Updates<CMDeviceMotion>(every: usualInterval)
  private let frame = Locked(CMAttitudeReferenceFrame.xArbitraryZVertical)

  /// Makes a manager without updates.
  public override init() { super.init() }

  /// The least interval of the accelerometer's samples, seconds; 0 for all. A change takes effect at
  /// once.
  open var accelerometerUpdateInterval: TimeInterval {
    get { accelerometer.interval }
    set { accelerometer.interval = newValue }
  }
  /// The least interval of the gyroscope's samples, seconds; 0 for all.
  open var gyroUpdateInterval: TimeInterval {
    get { gyro.interval }
    set { gyro.interval = newValue }
  }
  /// The least interval of the magnetometer's samples, seconds; 0 for all.
  open var magnetometerUpdateInterval: TimeInterval {
    get { magnetometer.interval }
    set { magnetometer.interval = newValue }
  }
  /// The least interval of attitude and motion, seconds; 0 for all.
  open var deviceMotionUpdateInterval: TimeInterval {
    get { motion.interval }
    set { motion.interval = newValue }
  }
  /// Whether a display asks for movement. Stored without effect: there is no display.
  open var showsDeviceMovementDisplay = false

  // MARK: An accelerometer

  /// Whether there is an accelerometer.
  open var isAccelerometerAvailable: Bool { LocationServices.current.measures(.inertia) }

  /// True while its samples are received.
  open var isAccelerometerActive: Bool { accelerometer.isActive }

  /// The newest sample; nil before the first.
  open var accelerometerData: CMAccelerometerData? { accelerometer.latest }

  /// Starts to receive samples, for `accelerometerData`.
  open func startAccelerometerUpdates() { startAccelerometer(nil, nil) }

  /// Starts to receive samples, for a handler.
  open func startAccelerometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler
  ) { startAccelerometer(queue, handler) }

  /// Ends the samples.
  open func stopAccelerometerUpdates() { accelerometer.stop() }

  private func startAccelerometer(_ queue: OperationQueue?, _ handler: CMAccelerometerHandler?) {
    accelerometer.start(queue, handler) {
      SampleFeed(.accelerometer, every: $0, to: $1) {
        CMAccelerometerData(CMAcceleration(specificForce: $0.vector), timestamp: $0.seconds)
      }
    }
  }

  // MARK: A gyroscope

  /// Whether there is a gyroscope.
  open var isGyroAvailable: Bool { LocationServices.current.measures(.inertia) }

  /// True while its samples are received.
  open var isGyroActive: Bool { gyro.isActive }

  /// The newest sample; nil before the first.
  open var gyroData: CMGyroData? { gyro.latest }

  /// Starts to receive samples, for `gyroData`.
  open func startGyroUpdates() { startGyro(nil, nil) }

  /// Starts to receive samples, for a handler.
  open func startGyroUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler
  ) { startGyro(queue, handler) }

  /// Ends the samples.
  open func stopGyroUpdates() { gyro.stop() }

  private func startGyro(_ queue: OperationQueue?, _ handler: CMGyroHandler?) {
    gyro.start(queue, handler) {
      SampleFeed(.gyroscope, every: $0, to: $1) {
        CMGyroData(CMRotationRate($0.vector), timestamp: $0.seconds)
      }
    }
  }

  // MARK: A magnetometer

  /// Whether there is a magnetometer.
  open var isMagnetometerAvailable: Bool { LocationServices.current.measures(.field) }

  /// True while its samples are received.
  open var isMagnetometerActive: Bool { magnetometer.isActive }

  /// The newest sample; nil before the first.
  open var magnetometerData: CMMagnetometerData? { magnetometer.latest }

  /// Starts to receive samples, for `magnetometerData`.
  open func startMagnetometerUpdates() { startMagnetometer(nil, nil) }

  /// Starts to receive samples, for a handler.
  open func startMagnetometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMagnetometerHandler
  ) { startMagnetometer(queue, handler) }

  /// Ends the samples.
  open func stopMagnetometerUpdates() { magnetometer.stop() }

  private func startMagnetometer(_ queue: OperationQueue?, _ handler: CMMagnetometerHandler?) {
    magnetometer.start(queue, handler) {
      SampleFeed(.magnetometer, every: $0, to: $1) {
        CMMagnetometerData(CMMagneticField($0.vector), timestamp: $0.seconds)
      }
    }
  }

  // MARK: Device motion

  /// The frames that an attitude can refer to: those with a north need a compass, and true north a
  /// position.
  open class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
    let services = LocationServices.current
    var frames: CMAttitudeReferenceFrame = []
    if services.measures(.inertia) { frames.insert(.xArbitraryZVertical) }
    guard services.has(\.hasHeading) else { return frames }
    frames.formUnion([
      .xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical,
    ])
    if services.has(\.hasReceiver) { frames.insert(.xTrueNorthZVertical) }
    return frames
  }

  /// Whether there are sensors for an attitude: an inertial unit.
  open var isDeviceMotionAvailable: Bool { LocationServices.current.measures(.inertia) }

  /// True while attitude and motion are received.
  open var isDeviceMotionActive: Bool { motion.isActive }

  /// The newest attitude and motion; nil before the first. A new object at each call, because a
  /// program may change its attitude.
  open var deviceMotion: CMDeviceMotion? { motion.latest?.separate() }

  /// The frame of the attitude.
  open var attitudeReferenceFrame: CMAttitudeReferenceFrame { frame.withLock { $0 } }

  /// Starts to receive attitude and motion, for `deviceMotion`.
  open func startDeviceMotionUpdates() { startMotion(.xArbitraryZVertical, nil, nil) }

  /// The same relative to a frame.
  open func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) {
    startMotion(referenceFrame, nil, nil)
  }

  /// Starts to receive attitude and motion, for a handler.
  open func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler
  ) { startMotion(.xArbitraryZVertical, queue, handler) }

  /// The same relative to a frame. A frame whose north is not available is reported to the handler.
  open func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
    withHandler handler: @escaping CMDeviceMotionHandler
  ) { startMotion(referenceFrame, queue, handler) }

  /// Ends attitude and motion.
  open func stopDeviceMotionUpdates() { motion.stop() }

  private func startMotion(
    _ referenceFrame: CMAttitudeReferenceFrame, _ queue: OperationQueue?,
    _ handler: CMDeviceMotionHandler?
  ) {
    frame.withLock { $0 = referenceFrame }
    motion.start(queue, handler) { interval, delivery in
      // Without any frame there is no source, which the feed reports.
      let frames = Self.availableAttitudeReferenceFrames()
      if !frames.isEmpty, !frames.contains(referenceFrame) {
        delivery.fail(Self.fault(of: referenceFrame))
      }
      return DeviceMotionFeed(referenceFrame, every: interval, delivery)
    }
  }

  private static func fault(of frame: CMAttitudeReferenceFrame) -> NSError {
    frame == .xTrueNorthZVertical
      ? CMErrorTrueNorthNotAvailable.error(
        "no true north for device motion: it needs a compass and a receiver; use another frame")
      : CMErrorNotAvailable.error(
        "no magnetic north for device motion: the board has no compass; use xArbitraryZVertical")
  }
}

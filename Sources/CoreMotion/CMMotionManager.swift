internal import CoreLocation
import Foundation
internal import HostProtocol
internal import LinuxIO
internal import Quantities

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
  private struct Run<Item: Sendable, Feed: Sendable>: Sendable {
    let delivery: Delivery<Item>
    // Ends with the run.
    let feed: Feed
  }

  private let accelerometerRun = Locked<Run<CMAccelerometerData, SampleFeed>?>(nil)
  private let gyroRun = Locked<Run<CMGyroData, SampleFeed>?>(nil)
  private let magnetometerRun = Locked<Run<CMMagnetometerData, SampleFeed>?>(nil)
  private let motionRun = Locked<Run<CMDeviceMotion, MotionFeeds>?>(nil)
  private let frame = Locked(CMAttitudeReferenceFrame.xArbitraryZVertical)

  /// Makes a manager without updates.
  public override init() { super.init() }

  /// The least interval of the accelerometer's samples, seconds; 0 for all. Used at the next start.
  open var accelerometerUpdateInterval: TimeInterval = 0.01
  /// The same of the gyroscope's.
  open var gyroUpdateInterval: TimeInterval = 0.01
  /// The same of the magnetometer's.
  open var magnetometerUpdateInterval: TimeInterval = 0.01
  /// The same of attitude and motion.
  open var deviceMotionUpdateInterval: TimeInterval = 0.01
  /// Whether a display asks for movement. Stored without effect: there is no display.
  open var showsDeviceMovementDisplay = false

  // MARK: An accelerometer

  /// Whether there is an accelerometer.
  open var isAccelerometerAvailable: Bool {
    LocationServices.current.measures(.inertia)
  }

  /// True while its samples are received.
  open var isAccelerometerActive: Bool { accelerometerRun.withLock { $0 != nil } }

  /// The newest sample; nil before the first.
  open var accelerometerData: CMAccelerometerData? {
    accelerometerRun.withLock { $0 }?.delivery.latest
  }

  /// Starts to receive samples, for `accelerometerData`.
  open func startAccelerometerUpdates() { startAccelerometer(nil, nil) }

  /// Starts to receive samples, for a handler.
  open func startAccelerometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler
  ) { startAccelerometer(queue, handler) }

  /// Ends the samples.
  open func stopAccelerometerUpdates() { accelerometerRun.withLock { $0 = nil } }

  private func startAccelerometer(_ queue: OperationQueue?, _ handler: CMAccelerometerHandler?) {
    let delivery = Delivery<CMAccelerometerData>(queue, handler)
    let feed = SampleFeed([.accelerometer], every: accelerometerUpdateInterval) { sample in
      guard let sample else { return delivery.fail() }
      let vector = sample.vector
      delivery.deliver(
        CMAccelerometerData(CMAcceleration(specificForce: vector), timestamp: sample.seconds))
    }
    accelerometerRun.withLock { $0 = Run(delivery: delivery, feed: feed) }
  }

  // MARK: A gyroscope

  /// Whether there is a gyroscope.
  open var isGyroAvailable: Bool {
    LocationServices.current.measures(.inertia)
  }

  /// True while its samples are received.
  open var isGyroActive: Bool { gyroRun.withLock { $0 != nil } }

  /// The newest sample; nil before the first.
  open var gyroData: CMGyroData? { gyroRun.withLock { $0 }?.delivery.latest }

  /// Starts to receive samples, for `gyroData`.
  open func startGyroUpdates() { startGyro(nil, nil) }

  /// Starts to receive samples, for a handler.
  open func startGyroUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler
  ) { startGyro(queue, handler) }

  /// Ends the samples.
  open func stopGyroUpdates() { gyroRun.withLock { $0 = nil } }

  private func startGyro(_ queue: OperationQueue?, _ handler: CMGyroHandler?) {
    let delivery = Delivery<CMGyroData>(queue, handler)
    let feed = SampleFeed([.gyroscope], every: gyroUpdateInterval) { sample in
      guard let sample else { return delivery.fail() }
      let vector = sample.vector
      delivery.deliver(
        CMGyroData(CMRotationRate(x: vector.x, y: vector.y, z: vector.z), timestamp: sample.seconds)
      )
    }
    gyroRun.withLock { $0 = Run(delivery: delivery, feed: feed) }
  }

  // MARK: A magnetometer

  /// Whether there is a magnetometer.
  open var isMagnetometerAvailable: Bool {
    LocationServices.current.measures(.field)
  }

  /// True while its samples are received.
  open var isMagnetometerActive: Bool { magnetometerRun.withLock { $0 != nil } }

  /// The newest sample; nil before the first.
  open var magnetometerData: CMMagnetometerData? {
    magnetometerRun.withLock { $0 }?.delivery.latest
  }

  /// Starts to receive samples, for `magnetometerData`.
  open func startMagnetometerUpdates() { startMagnetometer(nil, nil) }

  /// Starts to receive samples, for a handler.
  open func startMagnetometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMagnetometerHandler
  ) { startMagnetometer(queue, handler) }

  /// Ends the samples.
  open func stopMagnetometerUpdates() { magnetometerRun.withLock { $0 = nil } }

  private func startMagnetometer(_ queue: OperationQueue?, _ handler: CMMagnetometerHandler?) {
    let delivery = Delivery<CMMagnetometerData>(queue, handler)
    let feed = SampleFeed([.magnetometer], every: magnetometerUpdateInterval) { sample in
      guard let sample else { return delivery.fail() }
      let vector = sample.vector
      delivery.deliver(
        CMMagnetometerData(
          CMMagneticField(x: vector.x, y: vector.y, z: vector.z), timestamp: sample.seconds))
    }
    magnetometerRun.withLock { $0 = Run(delivery: delivery, feed: feed) }
  }

  // MARK: Device motion

  /// The frames that an attitude can refer to: those with a north need a compass.
  open class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
    guard LocationServices.current.has(\.hasHeading) else { return [] }
    let all: CMAttitudeReferenceFrame = [
      .xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical,
    ]
    return LocationServices.current.has(\.hasReceiver) ? all.union(.xTrueNorthZVertical) : all
  }

  /// Whether there are sensors for an attitude.
  open var isDeviceMotionAvailable: Bool {
    LocationServices.current.has(\.hasHeading)
      && LocationServices.current.measures(.inertia)
  }

  /// True while attitude and motion are received.
  open var isDeviceMotionActive: Bool { motionRun.withLock { $0 != nil } }

  /// The newest attitude and motion; nil before the first.
  open var deviceMotion: CMDeviceMotion? { motionRun.withLock { $0 }?.delivery.latest }

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

  /// The same relative to a frame.
  open func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
    withHandler handler: @escaping CMDeviceMotionHandler
  ) { startMotion(referenceFrame, queue, handler) }

  /// Ends attitude and motion.
  open func stopDeviceMotionUpdates() { motionRun.withLock { $0 = nil } }

  private func startMotion(
    _ referenceFrame: CMAttitudeReferenceFrame, _ queue: OperationQueue?,
    _ handler: CMDeviceMotionHandler?
  ) {
    frame.withLock { $0 = referenceFrame }
    let delivery = Delivery<CMDeviceMotion>(queue, handler)
    let feeds = MotionFeeds(referenceFrame, every: deviceMotionUpdateInterval, delivery)
    motionRun.withLock { $0 = Run(delivery: delivery, feed: feeds) }
  }
}

/// What device motion is made of: the fusion's estimates, and the newest samples of the inertial
/// unit.
private final class MotionFeeds: Sendable {
  private let samples: SampleFeed
  private let estimates: EstimateFeed

  init(
    _ frame: CMAttitudeReferenceFrame, every interval: TimeInterval,
    _ delivery: Delivery<CMDeviceMotion>
  ) {
    let newest = Locked((rate: CMRotationRate(), acceleration: CMAcceleration?.none))
    let firstYaw = Locked<Double?>(nil)
    samples = SampleFeed([.gyroscope, .accelerometer], every: interval) { sample in
      guard let sample else { return }
      let vector = sample.vector
      newest.withLock { newest in
        if sample.kind == .gyroscope {
          newest.rate = CMRotationRate(x: vector.x, y: vector.y, z: vector.z)
        } else {
          newest.acceleration = CMAcceleration(specificForce: vector)
        }
      }
    }
    // The declination needs a place.
    let demand = EstimateDemand(fixes: frame == .xTrueNorthZVertical, headings: true)
    estimates = EstimateFeed(demand, every: interval) { estimate in
      guard let estimate else { return delivery.fail() }
      guard
        let values = HeadingValues(
          estimate, turnedBy: .zero, givesTrueHeading: true, receivedAt: Date()),
        let attitude = values.attitude
      else { return }
      let turn: Double
      var heading = -1.0
      switch frame {
      case .xMagneticNorthZVertical: (turn, heading) = (0, values.magneticHeading)
      case .xTrueNorthZVertical:
        // Until the declination is known there is no true north.
        guard let declination = values.declination else { return }
        (turn, heading) = (-declination, values.trueHeading)
      default:
        let yaw = CMAttitude(attitude, turnedBy: 0).yaw * 180 / .pi
        turn = firstYaw.withLock { first in
          first = first ?? -yaw
          return first ?? -yaw
        }
      }
      let (rate, acceleration) = newest.withLock { $0 }
      delivery.deliver(
        CMDeviceMotion(
          attitude: CMAttitude(attitude, turnedBy: turn), rotationRate: rate,
          acceleration: acceleration,
          magneticField: CMCalibratedMagneticField(
            field: CMMagneticField(x: values.x, y: values.y, z: values.z),
            accuracy: CMMagneticFieldCalibrationAccuracy(estimate.calibration)),
          heading: heading, timestamp: estimate.timestamp.seconds))
    }
  }
}

extension CMMagneticFieldCalibrationAccuracy {
  fileprivate init(_ state: CalibrationState?) {
    switch state {
    case .good, .assumed: self = .high
    case .fair: self = .medium
    case .poor: self = .low
    case .uncalibrated, nil: self = .uncalibrated
    }
  }
}

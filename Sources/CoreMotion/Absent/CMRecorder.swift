import Foundation

/// Samples that the system records while no program runs; never available.
open class CMSensorRecorder: NSObject {
  /// Makes a recorder.
  public override init() { super.init() }

  /// False.
  open class func isAccelerometerRecordingAvailable() -> Bool { false }
  /// Denied: there is nothing.
  open class func authorizationStatus() -> CMAuthorizationStatus { AbsentFeature.authorization }
  /// False.
  @available(*, deprecated, message: "use authorizationStatus()")
  open class func isAuthorizedForRecording() -> Bool { false }
  /// nil.
  open func accelerometerData(from fromDate: Date, to toDate: Date) -> CMSensorDataList? { nil }
  /// Has no effect.
  open func recordAccelerometer(forDuration duration: TimeInterval) {}
}

/// Recorded samples. Apple's is no sequence either; programs extend it.
open class CMSensorDataList: NSObject {}

/// A recorded sample of the accelerometer.
open class CMRecordedAccelerometerData: CMAccelerometerData, @unchecked Sendable {
  /// Its number.
  open var identifier: UInt64 { 0 }
  /// When it was measured.
  open var startDate: Date { .unknown }
}

/// A rate of rotation.
open class CMRotationRateData: CMLogItem, @unchecked Sendable {
  /// The rate.
  open var rotationRate: CMRotationRate { CMRotationRate() }
}

/// A recorded rate of rotation.
open class CMRecordedRotationRateData: CMRotationRateData, @unchecked Sendable {
  /// When it was measured.
  open var startDate: Date { .unknown }
}

/// A pressure with the sensor's temperature.
open class CMAmbientPressureData: CMLogItem, @unchecked Sendable {
  /// The pressure.
  open var pressure: Measurement<UnitPressure> { Measurement(value: 0, unit: .kilopascals) }
  /// The temperature.
  open var temperature: Measurement<UnitTemperature> { Measurement(value: 0, unit: .celsius) }
}

/// A recorded pressure.
open class CMRecordedPressureData: CMAmbientPressureData, @unchecked Sendable {
  /// Its number.
  open var identifier: UInt64 { 0 }
  /// When it was measured.
  open var startDate: Date { .unknown }
}

/// Samples at high rates, in batches; never available.
open class CMBatchedSensorManager: NSObject {
  /// Makes a manager.
  public override init() { super.init() }

  /// Denied: there is nothing.
  open class var authorizationStatus: CMAuthorizationStatus { AbsentFeature.authorization }
  /// False.
  open class var isAccelerometerSupported: Bool { false }
  /// False.
  open class var isDeviceMotionSupported: Bool { false }
  /// False.
  open var isAccelerometerActive: Bool { false }
  /// False.
  open var isDeviceMotionActive: Bool { false }
  /// 0.
  open var accelerometerDataFrequency: Int { 0 }
  /// 0.
  open var deviceMotionDataFrequency: Int { 0 }
  /// nil.
  open var accelerometerBatch: [CMAccelerometerData]? { nil }
  /// nil.
  open var deviceMotionBatch: [CMDeviceMotion]? { nil }
  /// Has no effect.
  open func startAccelerometerUpdates() {}
  /// Reports `CMErrorNotAvailable`.
  open func startAccelerometerUpdates(
    handler: @escaping ([CMAccelerometerData]?, (any Error)?) -> Void
  ) { Delivery(OperationQueue(), handler).fail(AbsentFeature.batches.error) }
  /// Has no effect.
  open func stopAccelerometerUpdates() {}
  /// Has no effect.
  open func startDeviceMotionUpdates() {}
  /// Reports `CMErrorNotAvailable`.
  open func startDeviceMotionUpdates(
    handler: @escaping ([CMDeviceMotion]?, (any Error)?) -> Void
  ) { Delivery(OperationQueue(), handler).fail(AbsentFeature.batches.error) }
  /// Has no effect.
  open func stopDeviceMotionUpdates() {}
}

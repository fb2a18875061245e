import CoreMotion
import Testing

// What programs do with Apple's classes: mocks, copies, archives.

private final class MockAcceleration: CMAccelerometerData, @unchecked Sendable {
  override var acceleration: CMAcceleration { CMAcceleration(x: 0, y: 0, z: -1) }
  override var timestamp: TimeInterval { 7 }
}
private final class MockGyro: CMGyroData, @unchecked Sendable {
  override var rotationRate: CMRotationRate { CMRotationRate(x: 1, y: 2, z: 3) }
}
private final class MockField: CMMagnetometerData, @unchecked Sendable {
  override var magneticField: CMMagneticField { CMMagneticField(x: 1, y: 2, z: 3) }
}
private final class MockAttitude: CMAttitude, @unchecked Sendable {
  override var yaw: Double { 0.5 }
  override var quaternion: CMQuaternion { CMQuaternion(x: 0, y: 0, z: 0, w: 1) }
}
private final class MockMotion: CMDeviceMotion, @unchecked Sendable {
  private let stand = MockAttitude()
  override var attitude: CMAttitude { stand }
  override var userAcceleration: CMAcceleration { CMAcceleration(x: 1, y: 0, z: 0) }
  override var heading: Double { 90 }
  override var sensorLocation: SensorLocation { .headphoneLeft }
}
private final class MockAltitude: CMAltitudeData, @unchecked Sendable {
  override var relativeAltitude: NSNumber { 12 }
  override var pressure: NSNumber { 101.3 }
}
private final class MockAbsoluteAltitude: CMAbsoluteAltitudeData, @unchecked Sendable {
  override var altitude: Double { 500 }
}
private final class MockActivity: CMMotionActivity, @unchecked Sendable {
  override var walking: Bool { true }
  override var confidence: CMMotionActivityConfidence { .high }
}
private final class MockPedometerData: CMPedometerData, @unchecked Sendable {
  private let count: Int
  init(_ count: Int) {
    self.count = count
    super.init()
  }
  required init?(coder: NSCoder) { nil }
  override var numberOfSteps: NSNumber { NSNumber(value: count) }
  override var distance: NSNumber? { 70 }
}
private final class MockPedometerEvent: CMPedometerEvent, @unchecked Sendable {
  override var type: CMPedometerEventType { .resume }
}
private final class MockPedometer: CMPedometer {
  override class func isStepCountingAvailable() -> Bool { true }
  override func queryPedometerData(
    from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler
  ) { handler(MockPedometerData(100), nil) }
}
private final class MockManager: CMMotionManager {
  override var deviceMotion: CMDeviceMotion? { MockMotion() }
  override var isDeviceMotionAvailable: Bool { true }
}

@Suite("Core Motion's data classes", .timeLimit(.minutes(30))) struct DataClassTests {
  @Test("a program overrides every property of a mock")
  func mocks() {
    #expect(MockAcceleration().acceleration.z == -1 && MockAcceleration().timestamp == 7)
    #expect(MockGyro().rotationRate.y == 2 && MockField().magneticField.z == 3)
    let motion = MockManager().deviceMotion
    #expect(motion?.attitude.yaw == 0.5 && motion?.heading == 90)
    #expect(motion?.userAcceleration.x == 1 && motion?.sensorLocation == .headphoneLeft)
    #expect(MockAltitude().relativeAltitude == 12 && MockAbsoluteAltitude().altitude == 500)
    #expect(MockActivity().walking && MockActivity().confidence == .high)
    #expect(MockPedometerEvent().type == .resume && MockPedometer.isStepCountingAvailable())
    var steps: NSNumber?
    MockPedometer().queryPedometerData(from: Date(), to: Date()) { data, _ in
      steps = data?.numberOfSteps
    }
    #expect(steps == 100)
  }

  @Test("what a program creates is zero")
  func zero() {
    #expect(CMLogItem().timestamp == 0 && CMAccelerometerData().acceleration.x == 0)
    let motion = CMDeviceMotion()
    #expect(motion.heading == 0 && motion.sensorLocation == .default && motion.gravity.z == 0)
    #expect(motion.attitude.yaw == 0 && motion.attitude.quaternion.w == 1)
    let activity = CMMotionActivity()
    #expect(!activity.walking && !activity.unknown && activity.confidence == .low)
    let data = CMPedometerData()
    #expect(data.numberOfSteps == 0 && data.distance == nil && data.currentPace == nil)
    #expect(CMAltitudeData().pressure == 0 && CMAbsoluteAltitudeData().altitude == 0)
    #expect(CMPedometerEvent().type == .pause)
  }

  @Test("C's initialisers zero every field")
  func structures() {
    let q = CMQuaternion()
    #expect(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0)
    let m = CMRotationMatrix()
    #expect(m.m11 == 0 && m.m22 == 0 && m.m33 == 0 && m.m12 == 0)
    #expect(CMCalibratedMagneticField().accuracy.rawValue == 0)
    let n = CMRotationMatrix(
      m11: 1, m12: 2, m13: 3, m21: 4, m22: 5, m23: 6, m31: 7, m32: 8, m33: 9)
    #expect(n.m13 == 3 && n.m21 == 4 && n.m33 == 9)
  }

  @Test("each class is archived securely, by its own name, and read again")
  func archives() throws {
    for item in [
      CMLogItem(), CMAccelerometerData(), CMGyroData(), CMMagnetometerData(), CMDeviceMotion(),
      CMAltitudeData(), CMAbsoluteAltitudeData(), CMMotionActivity(),
      CMRecordedAccelerometerData(), CMRotationRateData(), CMRecordedRotationRateData(),
      CMAmbientPressureData(), CMRecordedPressureData(), CMHighFrequencyHeartRateData(),
    ] {
      let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type(of: item)], from: data)
      let name = read.map { String(describing: type(of: $0)) }
      #expect(name == String(describing: type(of: item)))
      let copy = item.copy() as? CMLogItem
      #expect(copy === item)
    }
    #expect(try archived(CMPedometerData()).numberOfSteps == 0)
    #expect(try archived(CMPedometerEvent()).type == .pause)
    #expect(try archived(CMAttitude()).quaternion.w == 1)
    #expect(try archived(CMTremorResult()).percentMild == 0)
    #expect(try archived(CMDyskineticSymptomResult()).percentLikely == 0)
    #expect(try archived(CMOdometerData()).originDevice == .unknown)
    #expect(try archived(CMWaterSubmersionEvent()).state == .unknown)
    #expect(try archived(CMWaterSubmersionMeasurement()).depth == nil)
    #expect(try archived(CMWaterTemperature()).temperature.value == 0)
  }

  @Test("a copied attitude is another one")
  func copies() throws {
    let attitude = CMAttitude()
    let copy = try #require(attitude.copy() as? CMAttitude)
    #expect(copy !== attitude)
    let data = CMPedometerData()
    #expect((data.copy() as? CMPedometerData) === data)
  }
}

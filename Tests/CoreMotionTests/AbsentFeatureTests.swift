import CoreMotion
import LinuxIO
import Testing

private final class Diver: NSObject, CMWaterSubmersionManagerDelegate, @unchecked Sendable {
  let codes = Locked<[Int]>([])
  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {}
  func manager(
    _ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement
  ) {}
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {}
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) {
    codes.withLock { $0.append((error as NSError).code) }
  }
}

// Nothing is implemented: both methods are optional.
private final class Listener: NSObject, CMHeadphoneMotionManagerDelegate {}
private final class Faller: NSObject, CMFallDetectionDelegate {}

@Suite("What no board has", .timeLimit(.minutes(30))) struct AbsentFeatureTests {
  private let notAvailable = Int(CMErrorNotAvailable.rawValue)

  @Test("it says so")
  func unavailable() {
    #expect(!CMHeadphoneMotionManager().isDeviceMotionAvailable)
    #expect(!CMHeadphoneActivityManager().isActivityAvailable)
    #expect(!CMHeadphoneActivityManager().isStatusAvailable)
    #expect(!CMWaterSubmersionManager.waterSubmersionAvailable)
    #expect(CMWaterSubmersionManager().maximumDepth == nil)
    #expect(!CMSensorRecorder.isAccelerometerRecordingAvailable())
    #expect(CMSensorRecorder().accelerometerData(from: Date(), to: Date()) == nil)
    #expect(!CMBatchedSensorManager.isAccelerometerSupported)
    #expect(!CMBatchedSensorManager.isDeviceMotionSupported)
    #expect(!CMMovementDisorderManager.isAvailable() && !CMFallDetectionManager.isAvailable)
    #expect(CMHeadphoneMotionManager.authorizationStatus() == .denied)
    let manager = CMHeadphoneMotionManager()
    let listener = Listener()
    manager.delegate = listener
    manager.startDeviceMotionUpdates()
    #expect(!manager.isDeviceMotionActive && manager.delegate === listener)
    let falls = CMFallDetectionManager()
    let faller = Faller()
    falls.delegate = faller
    #expect(falls.delegate === faller)
  }

  @Test("what is started all the same fails with Apple's error")
  func errors() async throws {
    let codes = Locked<[Int]>([])
    let note: @Sendable ((any Error)?) -> Void = { error in
      codes.withLock { $0.append((error as? NSError)?.code ?? 0) }
    }
    let queue = OperationQueue()
    CMHeadphoneMotionManager().startDeviceMotionUpdates(to: queue) { note($1) }
    CMHeadphoneActivityManager().startActivityUpdates(to: queue) { note($1) }
    CMHeadphoneActivityManager().startStatusUpdates(to: queue) { note($1) }
    CMBatchedSensorManager().startAccelerometerUpdates { note($1) }
    CMBatchedSensorManager().startDeviceMotionUpdates { note($1) }
    CMMovementDisorderManager().queryTremor(from: Date(), to: Date()) { note($1) }
    CMMovementDisorderManager().queryDyskineticSymptom(from: Date(), to: Date()) { note($1) }
    #expect(
      try await eventually { codes.withLock { $0 } == [Int](repeating: notAvailable, count: 7) })
    let diver = Diver()
    let manager = CMWaterSubmersionManager()
    manager.delegate = diver
    #expect(try await eventually { diver.codes.withLock { $0 } == [notAvailable] })
    let access = Locked<CMAuthorizationStatus?>(nil)
    CMFallDetectionManager().requestAuthorization { status in access.withLock { $0 = status } }
    #expect(try await eventually { access.withLock { $0 } == .denied })
  }
}

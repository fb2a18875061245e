import CoreMotion
import Testing

/// Apple's numbers, as the tests of PyObjC's bindings pin them on a Mac (`test_cmerror.py`,
/// `test_cmwatersubmissiondata.py`, `test_cmheadphoneactivitymanager.py`) and Microsoft's bindings
/// (`coremotion.cs`) declare them from the headers.
@Suite("Core Motion's constants", .timeLimit(.minutes(30))) struct ConstantTests {
  private static let errors: [(CMError, UInt32)] = [
    (CMErrorNULL, 100), (CMErrorDeviceRequiresMovement, 101), (CMErrorTrueNorthNotAvailable, 102),
    (CMErrorUnknown, 103), (CMErrorMotionActivityNotAvailable, 104),
    (CMErrorMotionActivityNotAuthorized, 105), (CMErrorMotionActivityNotEntitled, 106),
    (CMErrorInvalidParameter, 107), (CMErrorInvalidAction, 108), (CMErrorNotAvailable, 109),
    (CMErrorNotEntitled, 110), (CMErrorNotAuthorized, 111), (CMErrorNilData, 112),
    (CMErrorSize, 113),
  ]

  private static let numbers: [(String, Int, Int)] = [
    ("frame arbitrary", Int(CMAttitudeReferenceFrame.xArbitraryZVertical.rawValue), 1),
    ("frame corrected", Int(CMAttitudeReferenceFrame.xArbitraryCorrectedZVertical.rawValue), 2),
    ("frame magnetic", Int(CMAttitudeReferenceFrame.xMagneticNorthZVertical.rawValue), 4),
    ("frame true", Int(CMAttitudeReferenceFrame.xTrueNorthZVertical.rawValue), 8),
    ("notDetermined", CMAuthorizationStatus.notDetermined.rawValue, 0),
    ("restricted", CMAuthorizationStatus.restricted.rawValue, 1),
    ("denied", CMAuthorizationStatus.denied.rawValue, 2),
    ("authorized", CMAuthorizationStatus.authorized.rawValue, 3),
    ("uncalibrated", Int(CMMagneticFieldCalibrationAccuracy.uncalibrated.rawValue), -1),
    ("field low", Int(CMMagneticFieldCalibrationAccuracy.low.rawValue), 0),
    ("field medium", Int(CMMagneticFieldCalibrationAccuracy.medium.rawValue), 1),
    ("field high", Int(CMMagneticFieldCalibrationAccuracy.high.rawValue), 2),
    ("activity low", CMMotionActivityConfidence.low.rawValue, 0),
    ("activity medium", CMMotionActivityConfidence.medium.rawValue, 1),
    ("activity high", CMMotionActivityConfidence.high.rawValue, 2),
    ("pause", CMPedometerEventType.pause.rawValue, 0),
    ("resume", CMPedometerEventType.resume.rawValue, 1),
    ("sensor default", CMDeviceMotion.SensorLocation.default.rawValue, 0),
    ("sensor left", CMDeviceMotion.SensorLocation.headphoneLeft.rawValue, 1),
    ("sensor right", CMDeviceMotion.SensorLocation.headphoneRight.rawValue, 2),
    ("origin unknown", CMOdometerOriginDevice.unknown.rawValue, 0),
    ("origin local", CMOdometerOriginDevice.local.rawValue, 1),
    ("origin remote", CMOdometerOriginDevice.remote.rawValue, 2),
    ("heart low", CMHighFrequencyHeartRateDataConfidence.low.rawValue, 0),
    ("heart medium", CMHighFrequencyHeartRateDataConfidence.medium.rawValue, 1),
    ("heart high", CMHighFrequencyHeartRateDataConfidence.high.rawValue, 2),
    ("heart highest", CMHighFrequencyHeartRateDataConfidence.highest.rawValue, 3),
    ("headphones off", CMHeadphoneActivityManager.Status.disconnected.rawValue, 0),
    ("headphones on", CMHeadphoneActivityManager.Status.connected.rawValue, 1),
    ("water unknown", CMWaterSubmersionEvent.State.unknown.rawValue, 0),
    ("not submerged", CMWaterSubmersionEvent.State.notSubmerged.rawValue, 1),
    ("submerged", CMWaterSubmersionEvent.State.submerged.rawValue, 2),
    ("depth unknown", CMWaterSubmersionMeasurement.DepthState.unknown.rawValue, 0),
    ("depth none", CMWaterSubmersionMeasurement.DepthState.notSubmerged.rawValue, 100),
    ("depth shallow", CMWaterSubmersionMeasurement.DepthState.submergedShallow.rawValue, 200),
    ("depth deep", CMWaterSubmersionMeasurement.DepthState.submergedDeep.rawValue, 300),
    ("depth near", CMWaterSubmersionMeasurement.DepthState.approachingMaxDepth.rawValue, 400),
    ("depth past", CMWaterSubmersionMeasurement.DepthState.pastMaxDepth.rawValue, 500),
    ("depth error", CMWaterSubmersionMeasurement.DepthState.sensorDepthError.rawValue, 600),
    ("fall confirmed", CMFallDetectionEvent.UserResolution.confirmed.rawValue, 0),
    ("fall dismissed", CMFallDetectionEvent.UserResolution.dismissed.rawValue, 1),
    ("fall rejected", CMFallDetectionEvent.UserResolution.rejected.rawValue, 2),
    ("fall unresponsive", CMFallDetectionEvent.UserResolution.unresponsive.rawValue, 3),
  ]

  @Test("errors have Apple's codes and domain")
  func errors() {
    #expect(CMErrorDomain == "CMErrorDomain")
    for (error, code) in Self.errors {
      #expect(error.rawValue == code && error == CMError(code) && error == CMError(rawValue: code))
    }
  }

  @Test("enumerations have Apple's numbers")
  func enumerations() {
    for (name, number, apples) in Self.numbers { #expect(number == apples, "\(name)") }
  }

  @Test("a manager begins with Apple's defaults")
  func defaults() {
    let manager = CMMotionManager()
    #expect(!manager.showsDeviceMovementDisplay && !manager.isDeviceMotionActive)
    #expect(manager.deviceMotion == nil && manager.accelerometerData == nil)
    #expect(manager.gyroData == nil && manager.magnetometerData == nil)
    #expect(manager.attitudeReferenceFrame == .xArbitraryZVertical)
  }
}

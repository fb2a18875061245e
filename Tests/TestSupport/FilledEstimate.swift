package import Quantities

extension Estimate {
  /// An estimate with a different value for every property.
  package static var filled: Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: UInt64.max - 1))
    e.utc = UTCTime(nanosecondsSince1970: -1_234_567_890_123_456_789)
    e.attitude = Rotation(w: 0.9, x: 0.1, y: -0.2, z: 0.3)
    e.isLevelKnown = true
    e.magneticHeading = MagneticHeading(Angle(degrees: 359.999_999_9))
    e.trueHeading = TrueHeading(Angle(degrees: 1.0 / 3))
    e.headingAccuracy = Angle(radians: 0.1 + 0.2)
    e.trueHeadingAccuracy = Angle(radians: .leastNonzeroMagnitude)
    e.deviation = Angle(radians: -0.0)
    e.compassContradiction = Angle(radians: 1.25)
    e.tiltContradiction = Angle(radians: 0.75)
    var antennas = AntennaState()
    antennas.learntDirection = Angle(degrees: 91.0 / 3)
    antennas.learntDirectionSigma = Angle(radians: 0.01)
    antennas.isLearning = true
    antennas.fault = .length(reportedMetres: 1.0 / 3, configuredMetres: 1)
    e.antennas = antennas
    var inputs = InputVerdicts()
    inputs.field = .contradicted
    inputs.fault = .axes(.field, SignedAxes(index: 17), isMirrorOpen: true)
    e.inputs = inputs
    e.isDeclinationOutOfDate = true
    e.rateOfTurn = AngularSpeed(radiansPerSecond: -1e-300)
    e.declination = Angle(degrees: 2.5)
    e.attitudeMode = .gyroscopeAndAccelerometer
    e.acceleration = SIMD3(.greatestFiniteMagnitude, -1.5, .pi)
    e.heaveMetres = -0.25
    e.waveHeightMetres = 1.75
    e.wavePeakPeriodSeconds = 8.25
    e.waveMeanPeriodSeconds = 6.5
    e.waveDirection = Angle(degrees: 281.5)
    e.pressureTendencyHectopascal = -3.25
    e.pressureCharacteristic = 7
    e.earthField = EarthField(horizontal: 18.1, down: 45.2)
    e.modelField = EarthField(horizontal: 18.2, down: -45.3)
    e.field = MagneticField(microtesla: SIMD3(1.1, 2.2, -3.3))
    e.fixKind = .rtkFloat
    e.position = GeodeticPosition(latitudeDegrees: 48.137_154, longitudeDegrees: -11.576_124)
    e.horizontalAccuracyMetres = 1.25
    e.altitudeMetres = 519.1
    e.qnhHectopascal = 1013.251
    e.ellipsoidalAltitudeMetres = 565.7
    e.verticalAccuracyMetres = 2.5
    e.verticalSpeedMetresPerSecond = -0.1
    e.speedMetresPerSecond = 3.7
    e.course = Angle(degrees: 271.3)
    e.velocity = Velocity(metresPerSecond: SIMD3(1.5, -2.25, 0.125))
    e.positionCovarianceSquareMetres = Matrix3(
      rows: SIMD3(4.1, 0.2, -0.3), SIMD3(0.2, 5.2, 0.4), SIMD3(-0.3, 0.4, 6.3))
    e.velocityCovarianceSquareMetresPerSecondSquared = Matrix3(
      rows: SIMD3(0.11, 0.02, 0.03), SIMD3(0.02, 0.22, 0.04), SIMD3(0.03, 0.04, 0.33))
    e.speedAccuracyMetresPerSecond = 0.35
    e.courseAccuracy = Angle(degrees: 4.4)
    e.horizontalDilution = 0.9
    e.verticalDilution = 1.7
    e.correctionAgeSeconds = 2.5
    e.fixTimestamp = Timestamp(nanoseconds: 123_456_789)
    e.outageSeconds = 12.5
    e.rejectedPosition = GeodeticPosition(latitudeDegrees: 48.2, longitudeDegrees: -11.6)
    e.rejectedAccuracyMetres = 9.5
    e.satellitesUsed = 14
    e.motionState = .onWater
    e.motionProbability = 0.875
    e.motionSince = Timestamp(nanoseconds: 23_456_789)
    e.headingState = .late
    e.headingStateSince = Timestamp(nanoseconds: 13_456_789)
    e.positionState = .contradicted
    e.positionStateSince = Timestamp(nanoseconds: 14_456_789)
    e.calibration = .fair
    e.disturbance = .magnetNearby
    e.isSimulated = true
    return e
  }
}

import CoreLocation
import Quantities
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct EstimateValueTests {
  private let receipt = Date(timeIntervalSince1970: 1000)

  private func heading(
    _ estimate: Estimate, _ orientation: CLDeviceOrientation = .portrait, givesTrue: Bool = true
  ) throws -> HeadingValues {
    try #require(
      HeadingValues(
        estimate, turnedBy: orientation.turnFromForward ?? .zero, givesTrueHeading: givesTrue,
        receivedAt: receipt))
  }

  @Test(
    "the reference is the edge that is uppermost in the orientation",
    arguments: [
      (CLDeviceOrientation.portrait, 350.0), (.landscapeLeft, 80), (.portraitUpsideDown, 170),
      (.landscapeRight, 260),
    ])
  func orientation(orientation: CLDeviceOrientation, expected: Double) throws {
    let values = try heading(.heading(350, true: 353), orientation)
    #expect(abs(values.magneticHeading - expected) < 1e-9)
    let expectedTrue = (expected + 3).truncatingRemainder(dividingBy: 360)
    #expect(abs(values.trueHeading - expectedTrue) < 1e-9)
  }

  @Test("unknown, face up and face down leave the reference as it is")
  func sameReference() {
    let kept: [CLDeviceOrientation] = [.unknown, .faceUp, .faceDown]
    #expect(kept.allSatisfy { $0.turnFromForward == nil })
  }

  @Test("the field comes in the device's axes: right, top, out of the face")
  func field() throws {
    var estimate = Estimate.heading(0)
    // Body axes: forward, right, down. Level in the northern hemisphere, heading north.
    estimate.field = MagneticField(microtesla: SIMD3(20, 1, 44))
    let values = try heading(estimate)
    #expect([values.x, values.y, values.z] == [1, 20, -44])
  }

  @Test("unknown values are negative, and without a heading there is no event")
  func unknown() throws {
    let values = try heading(.heading(10, true: 12, accuracy: nil), givesTrue: false)
    #expect(values.headingAccuracy < 0)
    #expect(values.trueHeading == -1)
    let empty = Estimate(timestamp: Timestamp(nanoseconds: 1))
    #expect(
      HeadingValues(empty, turnedBy: .zero, givesTrueHeading: true, receivedAt: receipt) == nil)
    #expect(LocationValues(empty, receivedAt: receipt, isLive: true) == nil)
  }

  @Test("a location has the time of its fix, not of the estimate that carries it")
  func time() throws {
    var estimate = Estimate.fix(latitude: 1, longitude: 2, at: 10)
    estimate.fixTimestamp = Timestamp(nanoseconds: 9_250_000_000)
    let byReceipt = try #require(LocationValues(estimate, receivedAt: receipt, isLive: true))
    #expect(byReceipt.timestamp == Date(timeIntervalSince1970: 999.25))
    estimate.utc = UTCTime(nanosecondsSince1970: 2_000_000_000_000)
    let byReceiver = try #require(LocationValues(estimate, receivedAt: receipt, isLive: true))
    #expect(byReceiver.timestamp == Date(timeIntervalSince1970: 1999.25))
  }

  @Test("every field of a fix arrives in degrees and metres")
  func fields() throws {
    var estimate = Estimate.fix(latitude: -33.5, longitude: 151.25, accuracy: 2.5)
    estimate.altitudeMetres = 30
    estimate.ellipsoidalAltitudeMetres = 52
    estimate.verticalAccuracyMetres = 4
    estimate.speedMetresPerSecond = 3
    estimate.course = Angle(degrees: -90)
    let location = CLLocation(
      try #require(LocationValues(estimate, receivedAt: receipt, isLive: true)))
    #expect(abs(location.coordinate.latitude + 33.5) < 1e-12)
    #expect(abs(location.coordinate.longitude - 151.25) < 1e-12)
    #expect(location.horizontalAccuracy == 2.5 && location.verticalAccuracy == 4)
    #expect(location.altitude == 30 && location.ellipsoidalAltitude == 52)
    #expect(location.speed == 3 && abs(location.course - 270) < 1e-9)
    #expect(location.sourceInformation?.isSimulatedBySoftware == false)
    #expect(location.sourceInformation?.isProducedByAccessory == true)
  }

  @Test("an altitude without a known error is not given as valid")
  func altitude() throws {
    var estimate = Estimate.fix(latitude: 1, longitude: 2)
    (estimate.altitudeMetres, estimate.ellipsoidalAltitudeMetres) = (30, 52)
    let location = CLLocation(
      try #require(LocationValues(estimate, receivedAt: receipt, isLive: true)))
    #expect(location.verticalAccuracy < 0 && location.ellipsoidalAltitude == 0)
    #expect(location.course < 0 && location.speed < 0)
  }

  @Test("simulated and replayed fixes are marked; a receiver without a fix gives none")
  func simulated() throws {
    var estimate = Estimate.fix(latitude: 1, longitude: 2)
    func isSimulated(_ isLive: Bool) -> Bool? {
      LocationValues(estimate, receivedAt: receipt, isLive: isLive)?.isSimulated
    }
    #expect(isSimulated(true) == false)
    #expect(isSimulated(false) == true)
    estimate.isSimulated = true
    #expect(isSimulated(true) == true)
    estimate.isSimulated = false
    estimate.fixKind = .simulated
    #expect(isSimulated(true) == true)
    estimate.fixKind = FixKind.none
    #expect(isSimulated(true) == nil)
  }
}

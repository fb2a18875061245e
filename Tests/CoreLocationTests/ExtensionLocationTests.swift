import CoreLocation
import Quantities
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct ExtensionLocationTests {
  private let receipt = Date(timeIntervalSince1970: 1000)

  private func estimate() -> Estimate {
    var e = Estimate.fix(latitude: 54, longitude: 10, accuracy: 3, at: 12)
    e.fixKind = .rtkFloat
    e.speedMetresPerSecond = 5
    e.course = Angle(degrees: 30)
    e.speedAccuracyMetresPerSecond = 0.25
    e.courseAccuracy = Angle(degrees: 4)
    e.velocity = Velocity(metresPerSecond: SIMD3(4, 3, 1))
    e.positionCovarianceSquareMetres = Matrix3(
      rows: SIMD3(4, 1, 0.5), SIMD3(1, 9, -2), SIMD3(0.5, -2, 16))
    e.velocityCovarianceSquareMetresPerSecondSquared = Matrix3(diagonal: SIMD3(1, 2, 3))
    (e.horizontalDilution, e.verticalDilution) = (0.9, 1.5)
    (e.satellitesUsed, e.correctionAgeSeconds) = (14, 2)
    return e
  }

  private func location(
    _ estimate: Estimate, sources: [CLLocationSource] = []
  ) throws -> CLLocation {
    let values = LocationValues(estimate, receivedAt: receipt, isLive: true, sources: sources)
    return CLLocation(try #require(values))
  }

  @Test("speedAccuracy and courseAccuracy are the receiver's, and negative without speed or course")
  func accuracies() throws {
    let result = try location(estimate())
    #expect(result.speedAccuracy == 0.25 && abs(result.courseAccuracy - 4) < 1e-9)
    var still = estimate()
    still.course = nil
    let place = try location(still)
    #expect(place.speedAccuracy == 0.25 && place.courseAccuracy == -1)
    var silent = estimate()
    (silent.speedAccuracyMetresPerSecond, silent.courseAccuracy) = (nil, nil)
    let plain = try location(silent)
    #expect(plain.speedAccuracy == -1 && plain.courseAccuracy == -1)
  }

  @Test("velocity and covariance are over east, north and up")
  func frames() throws {
    let result = try location(estimate())
    #expect(result.velocity == CLVector3(x: 3, y: 4, z: -1))
    let place = try #require(result.covariance?.position)
    #expect(place.eastEast == 9 && place.northNorth == 4 && place.upUp == 16)
    #expect(place.eastNorth == 1 && place.eastUp == 2 && place.northUp == -0.5)
    #expect(result.covariance?.velocity == .init(eastEast: 2, northNorth: 1, upUp: 3))
  }

  @Test("the fix has the kind of its solution", arguments: FixKind.allCases)
  func fix(kind: FixKind) throws {
    var e = estimate()
    e.fixKind = kind
    guard kind != .none else { return }
    let fix = try #require(try location(e).fix)
    let expected: [FixKind: CLFix.Kind] = [
      .deadReckoning: .deadReckoning, .network: .network, .simulated: .simulated,
      .twoDimensional: .fix2D,
      .threeDimensional: .fix3D, .differential: .dgnss, .rtkFloat: .rtkFloat, .rtkFixed: .rtkFixed,
    ]
    #expect(fix.kind == expected[kind])
    #expect(fix.satellites == 14 && fix.hdop == 0.9 && fix.vdop == 1.5)
    #expect(fix.ageOfCorrections == 2)
  }

  @Test("a location that a program made has no values beyond Apple's members")
  func made() {
    let made = CLLocation(latitude: 1, longitude: 2)
    #expect(made.covariance == nil && made.velocity == nil && made.fix == nil)
    #expect(made.sources.isEmpty && made.monotonicTimestamp == 0)
    #expect(made.horizontalAccuracy(confidence: 0.95) == 0)
    let invalid = CLLocation(
      coordinate: .init(), altitude: 0, horizontalAccuracy: -1, verticalAccuracy: -1,
      timestamp: receipt)
    #expect(invalid.horizontalAccuracy(confidence: 0.5) == -1)
  }

  @Test("without a covariance the accuracy is the 68 % radius of equal errors")
  func confidence() {
    let place = CLLocation(
      coordinate: .init(), altitude: 0, horizontalAccuracy: 10, verticalAccuracy: -1,
      timestamp: receipt)
    #expect(abs(place.horizontalAccuracy(confidence: 0.68) - 10) < 1e-9)
    #expect(abs(place.horizontalAccuracy(confidence: 0.95) - 16.214_6) < 1e-3)
  }

  @Test("an archive stores all but the monotonic time, and one of an earlier release is still read")
  func archive() throws {
    let source = CLLocationSource(
      id: "/dev/ttyAMA0", kind: .gnss, leverArm: CLVector3(x: 1, y: 2, z: 3))
    let result = try location(estimate(), sources: [source])
    #expect(result.monotonicTimestamp == 12_000_000_000)
    let data = try NSKeyedArchiver.archivedData(withRootObject: result, requiringSecureCoding: true)
    let back = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    #expect(back.covariance == result.covariance && back.velocity == result.velocity)
    #expect(back.fix == result.fix && back.sources == [source])
    #expect(back.monotonicTimestamp == 0)
    // The form of the previous release's store.
    let json = """
      {"latitude":1,"longitude":2,"horizontalAccuracy":3,"altitude":4,"ellipsoidalAltitude":5,\
      "verticalAccuracy":6,"course":7,"courseAccuracy":-1,"speed":8,"speedAccuracy":-1,"timestamp":9}
      """
    let old = try JSONDecoder().decode(LocationValues.self, from: Data(json.utf8))
    #expect(old.latitude == 1 && old.details == nil)
    let new = try JSONDecoder().decode(
      LocationValues.self, from: try JSONEncoder().encode(result.storedValues))
    #expect(new.details == result.storedValues.details && new.monotonicNanoseconds == nil)
  }

  @Test("a delivered location has its source")
  func provenance() async throws {
    let bench = Bench(publisher: ScriptedPublisher(positionOrigin: .receiver("/dev/ttyACM0")))
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(estimate())
    #expect(try await eventually { recorder.locations.count == 1 })
    let place = try #require(recorder.locations.first?.first)
    #expect(place.sources == [CLLocationSource(id: "/dev/ttyACM0", kind: .gnss)])
    #expect(place.sourceInformation?.isProducedByAccessory == true)
    #expect(place.sourceInformation?.isSimulatedBySoftware == false)
  }
}

import CoreLocation
import Quantities
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct ExtensionHeadingTests {
  private let receipt = Date(timeIntervalSince1970: 1000)
  private static let up = CLVector3(x: 0, y: 0, z: 1)

  /// An estimate of a heading, with an attitude relative to magnetic north.
  private func estimate(
    heading: Double, pitch: Double = 0, roll: Double = 0
  ) -> Estimate {
    var e = Estimate.heading(heading, true: heading + 3)
    e.isLevelKnown = true
    e.attitude = Rotation(
      AttitudeAngles(
        heading: Angle(degrees: heading), pitch: Angle(degrees: pitch), roll: Angle(degrees: roll)))
    e.trueHeadingAccuracy = Angle(degrees: 4)
    return e
  }

  private func heading(
    _ estimate: Estimate, body: CLMountedBody? = nil, givesTrue: Bool = true
  ) throws -> CLHeading {
    let values = HeadingValues(
      estimate, turnedBy: .zero, mountedBy: body?.mount, givesTrueHeading: givesTrue,
      receivedAt: receipt)
    return CLHeading(try #require(values))
  }

  @Test("declination and the true heading's accuracy are known without location updates too")
  func gate() throws {
    let h = try heading(estimate(heading: 359), givesTrue: false)
    #expect(h.trueHeading < 0)
    #expect(abs(h.declination - 3) < 1e-9 && abs(h.trueHeadingAccuracy - 4) < 1e-9)
  }

  @Test("strength and inclination are those of the measured field")
  func field() throws {
    var e = estimate(heading: 40, pitch: 25, roll: -10)
    let stand = try #require(e.attitude)
    // 60 degrees below the horizon, 50 microtesla.
    let earth = MagneticField<MagneticEarthFrame>(microtesla: SIMD3(25, 0, 43.301_27))
    e.field = stand.inverse(earth)
    let h = try heading(e)
    #expect(abs(h.fieldStrength - 50) < 1e-5 && abs(h.inclination - 60) < 1e-5)
    e.field = nil
    e.modelField = EarthField(horizontal: 20, down: 20)
    let model = try heading(e)
    #expect(model.fieldStrength == -1 && abs(model.inclination - 45) < 1e-9)
  }

  @Test("unknown values are NaN where every number is valid, else negative")
  func unknown() throws {
    var e = Estimate.heading(10)
    e.disturbance = nil
    let h = try heading(e)
    #expect(h.declination.isNaN && h.inclination.isNaN)
    #expect(h.fieldStrength == -1 && h.trueHeadingAccuracy == -1)
    #expect(!h.isDisturbed && h.attitude == nil)
    #expect(CLHeading().attitude == nil)
  }

  @Test("a disturbance is reported", arguments: DisturbanceState.allCases)
  func disturbance(state: DisturbanceState) throws {
    var e = Estimate.heading(10)
    e.disturbance = state
    #expect(try heading(e).isDisturbed == (state == .disturbed || state == .magnetNearby))
  }

  @Test("the attitude is the device's relative to magnetic north")
  func attitude() throws {
    let a = try #require(try heading(estimate(heading: 70, pitch: 12, roll: -5)).attitude)
    #expect(abs(a.heading - 70) < 1e-9 && abs(a.pitch - 12) < 1e-9 && abs(a.roll + 5) < 1e-9)
    let forward = a.rotation(CLVector3(x: 0, y: 1, z: 0))
    #expect(abs(forward.z - sin(12 * .pi / 180)) < 1e-9)
  }

  @Test("a device mounted at an angle gives the vehicle's heading at any tilt")
  func mounted() throws {
    // Turned to the right by 90 degrees: the vehicle's forward is the device's left.
    let body = CLMountedBody(rotation: CLQuaternion(degrees: -90, about: Self.up))
    var e = estimate(heading: 200)
    e.field = MagneticField(microtesla: SIMD3(1, 2, 3))
    let h = try heading(e, body: body)
    #expect(abs(h.magneticHeading - 110) < 1e-9 && abs(h.trueHeading - 113) < 1e-9)
    #expect(abs((h.attitude?.heading ?? 0) - 110) < 1e-9)
    // The field stays along the device's axes.
    #expect([h.x, h.y, h.z] == [2, 1, -3])
    // A device tilted back by 90 degrees on a level vehicle: its face points astern.
    let upright = CLMountedBody(
      rotation: CLQuaternion(degrees: 90, about: CLVector3(x: 1, y: 0, z: 0)))
    let level = try heading(estimate(heading: 200, pitch: 60), body: upright)
    #expect(abs((level.attitude?.pitch ?? 0) + 30) < 1e-9)
    #expect(abs(level.magneticHeading - 200) < 1e-6)
  }

  @Test("without a known level the device is assumed to be level")
  func levelUnknown() throws {
    let body = CLMountedBody(rotation: CLQuaternion(degrees: -90, about: Self.up))
    #expect(abs(try heading(.heading(200), body: body).magneticHeading - 110) < 1e-9)
  }

  @Test("a manager's heading body replaces its orientation until it is removed")
  func manager() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.headingFilter = kCLHeadingFilterNone
    manager.headingOrientation = .landscapeLeft
    manager.headingBody = CLMountedBody(rotation: CLQuaternion(degrees: -90, about: Self.up))
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    bench.publisher.send(estimate(heading: 200))
    #expect(try await eventually { recorder.headings.count == 1 })
    manager.headingBody = nil
    bench.publisher.send(estimate(heading: 200))
    #expect(try await eventually { recorder.headings.count == 2 })
    let headings = recorder.headings.map { $0.magneticHeading.rounded() }
    #expect(headings == [110, 290])
  }

  @Test("an archive stores the extensions, and one of an earlier release is still read")
  func archive() throws {
    var e = estimate(heading: 30, pitch: 4)
    e.field = MagneticField(microtesla: SIMD3(20, 1, 44))
    let h = try heading(e)
    let data = try NSKeyedArchiver.archivedData(withRootObject: h, requiringSecureCoding: true)
    let back = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLHeading.self, from: data))
    #expect(back.attitude == h.attitude && back.declination == h.declination)
    #expect(back.fieldStrength == h.fieldStrength && back.inclination == h.inclination)
    #expect(back.trueHeadingAccuracy == h.trueHeadingAccuracy && back.isDisturbed == h.isDisturbed)
    // A heading without extension values is archived as by the previous release.
    let bare = try heading(.heading(10))
    let old = try NSKeyedArchiver.archivedData(withRootObject: bare, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLHeading.self, from: old))
    #expect(read.magneticHeading == bare.magneticHeading && read.attitude == nil)
  }
}

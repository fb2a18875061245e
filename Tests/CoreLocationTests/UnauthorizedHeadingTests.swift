import Configuration
import CoreLocation
import Quantities
import ScriptedSource
import Testing

/// Magnetic headings need no authorization, unless the policy says so.
@Suite(.timeLimit(.minutes(30))) struct UnauthorizedHeadingTests {
  private func bench(
    _ rule: AuthorizationRule, change: (inout Policy) -> Void = { _ in }
  ) -> Bench {
    var policy = Policy()
    policy.defaultAuthorization = rule
    change(&policy)
    return Bench(policy: policy)
  }

  private func estimate(_ degrees: Double, at seconds: Double) -> Estimate {
    var estimate = Estimate.fix(latitude: 48, longitude: 11, at: seconds)
    estimate.magneticHeading = MagneticHeading(Angle(degrees: degrees))
    estimate.trueHeading = TrueHeading(Angle(degrees: degrees + 4))
    estimate.headingAccuracy = Angle(degrees: 3)
    estimate.field = MagneticField(microtesla: SIMD3(20, 1, 43))
    return estimate
  }

  /// Checks that a heading reveals nothing of the place.
  private func check(_ heading: CLHeading, _ degrees: Double) {
    #expect(abs(heading.magneticHeading - degrees) < 1e-9)
    #expect(heading.trueHeading == -1 && abs(heading.headingAccuracy - 3) < 1e-9)
    #expect(heading.x == 0 && heading.y == 0 && heading.z == 0)
    #expect(heading.fieldStrength < 0 && heading.declination.isNaN)
    #expect(heading.inclination.isNaN && heading.trueHeadingAccuracy < 0)
  }

  @Test(
    "a program that is not authorized receives magnetic headings without a place",
    arguments: [AuthorizationRule.ask, .denied])
  func magnetic(rule: AuthorizationRule) async throws {
    let bench = bench(rule)
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    #expect(!manager.authorizationStatus.isAuthorized)
    bench.publisher.send(estimate(10, at: 1))
    #expect(try await eventually { recorder.headings.count == 1 })
    check(try #require(recorder.headings.first), 10)
    #expect(recorder.errors.isEmpty && manager.location == nil)
    manager.stopUpdatingHeading()
    bench.waitUntilIdle()
    #expect(!bench.services.isOpen)
  }

  @Test("the switch of location services does not stop magnetic headings")
  func switchedOff() async throws {
    let bench = bench(.always) { $0.isEnabled = false }
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    bench.publisher.send(estimate(10, at: 1))
    #expect(try await eventually { recorder.headings.count == 1 })
  }

  @Test("locations are denied beside headings, which continue")
  func besideLocations() async throws {
    let bench = bench(.denied)
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    manager.startUpdatingLocation()
    #expect(try await eventually { recorder.errors == ["error 1"] })
    bench.waitUntilIdle()
    bench.publisher.send(estimate(10, at: 1))
    #expect(try await eventually { recorder.headings.count == 1 })
    check(try #require(recorder.headings.first), 10)
    #expect(recorder.locations.isEmpty)
  }

  @Test("true headings and locations begin with the authorization")
  func authorizedLater() async throws {
    let bench = bench(.ask)
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(estimate(10, at: 1))
    #expect(try await eventually { recorder.headings.count == 1 })
    check(try #require(recorder.headings.first), 10)
    #expect(recorder.locations.isEmpty)
    manager.requestWhenInUseAuthorization()
    #expect(try await eventually { recorder.events.contains("authorization 4") })
    bench.waitUntilIdle()
    bench.publisher.send(estimate(50, at: 2))
    // The known location comes first.
    #expect(
      try await eventually {
        recorder.headings.count == 2 && recorder.locations.flatMap { $0 }.count == 2
      })
    let heading = try #require(recorder.headings.last)
    #expect(abs(heading.trueHeading - 54) < 1e-9 && heading.y == 20)
  }

  @Test(
    "a policy that denies headings denies them, and so does one that restricts the program",
    arguments: [AuthorizationRule.denied, .restricted])
  func denied(rule: AuthorizationRule) async throws {
    let bench = bench(rule) { policy in
      if rule != .restricted { policy.defaultHeadings = false }
    }
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    #expect(try await eventually { recorder.errors == ["error 1"] })
    bench.waitUntilIdle()
    bench.publisher.send(estimate(10, at: 1))
    await drainMainQueue()
    #expect(recorder.headings.isEmpty)
    #expect(bench.openings.withLock { $0 } == 0)
  }

  @Test("headings that the policy denies wait for the authorization")
  func waits() async throws {
    let bench = bench(.ask) { $0.defaultHeadings = false }
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    #expect(bench.openings.withLock { $0 } == 0)
    manager.requestWhenInUseAuthorization()
    #expect(try await eventually { recorder.events.contains("authorization 4") })
    bench.waitUntilIdle()
    bench.publisher.send(estimate(10, at: 1))
    #expect(try await eventually { recorder.headings.count == 1 })
  }
}

import CoreLocation
import ScriptedSource
import Testing

/// Deferred updates and pauses, as a manager's delegate receives them.
@Suite(.timeLimit(.minutes(30))) struct DeferralAndPauseTests {
  /// Sends a fix per second, each `metresApart` north of the one before.
  private func drive(
    _ bench: Bench, from: Int, count: Int, metresApart: Double = 0, secondsApart: Double = 1
  ) {
    for n in from..<(from + count) {
      bench.clock.advance(by: secondsApart)
      bench.publisher.send(
        .fix(
          latitude: 48 + Double(n) * metresApart / 111_000, longitude: 11,
          at: Double(n) * secondsApart + 1))
    }
  }

  @Test("fixes are deferred until the distance, and are delivered after the finish")
  func deferredUntilDistance() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: CLTimeIntervalMax)
    drive(bench, from: 0, count: 8, metresApart: 15)
    #expect(try await eventually { recorder.events.contains("finish nil") })
    await drainMainQueue()
    #expect(recorder.events.suffix(2) == ["finish nil", "location"])
    let fixes = try #require(recorder.locations.first)
    #expect(recorder.locations.count == 1 && fixes.count == 8)
    #expect(fixes.map(\.timestamp) == fixes.map(\.timestamp).sorted())
    withExtendedLifetime(manager) {}
  }

  @Test("the time ends a deferral too")
  func deferredUntilTimeout() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    manager.allowDeferredLocationUpdates(untilTraveled: CLLocationDistanceMax, timeout: 20)
    drive(bench, from: 0, count: 5)
    bench.clock.advance(by: 16)
    #expect(try await eventually { recorder.events.contains("finish nil") })
    #expect(try await eventually { recorder.locations.first?.count == 5 })
    withExtendedLifetime(manager) {}
  }

  @Test("a deferral ends in time after a step of civil time")
  func deferredOverStep() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    manager.allowDeferredLocationUpdates(untilTraveled: CLLocationDistanceMax, timeout: 20)
    drive(bench, from: 0, count: 5)
    bench.clock.stepCivilTime(by: -365 * 86_400)
    bench.clock.advance(by: 16)
    #expect(try await eventually { recorder.events.contains("finish nil") })
    #expect(try await eventually { recorder.locations.first?.count == 5 })
    withExtendedLifetime(manager) {}
  }

  @Test("what a deferral needs is checked, and each call finishes exactly once")
  func refusals() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.allowDeferredLocationUpdates(untilTraveled: 10, timeout: 10)
    manager.startUpdatingLocation()
    manager.desiredAccuracy = kCLLocationAccuracyKilometer
    manager.allowDeferredLocationUpdates(untilTraveled: 10, timeout: 10)
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.distanceFilter = 5
    manager.allowDeferredLocationUpdates(untilTraveled: 10, timeout: 10)
    manager.distanceFilter = kCLDistanceFilterNone
    manager.allowDeferredLocationUpdates(untilTraveled: 10, timeout: 10)
    manager.allowDeferredLocationUpdates(untilTraveled: 10, timeout: 10)
    manager.disallowDeferredLocationUpdates()
    manager.disallowDeferredLocationUpdates()
    #expect(
      try await eventually { recorder.events.filter { $0.hasPrefix("finish") }.count >= 5 })
    await drainMainQueue()
    #expect(
      recorder.events.filter { $0.hasPrefix("finish") }
        == ["finish 12", "finish 13", "finish 14", "finish 15", "finish 15"])
  }

  @Test("a stop finishes a deferral and delivers the deferred fixes")
  func stopped() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    manager.allowDeferredLocationUpdates(untilTraveled: CLLocationDistanceMax, timeout: 900)
    drive(bench, from: 0, count: 3)
    manager.stopUpdatingLocation()
    #expect(try await eventually { recorder.events.suffix(2) == ["finish 15", "location"] })
    #expect(recorder.locations.last?.count == 3)
  }

  @Test("updates pause at rest; the program starts them again, and the resumption is reported")
  func pauses() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.activityType = .fitness
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    drive(bench, from: 0, count: 13, secondsApart: 60)
    #expect(try await eventually { recorder.events.contains("pause") })
    bench.waitUntilIdle()
    #expect(!bench.services.isOpen)
    let count = recorder.locations.count
    drive(bench, from: 13, count: 3, metresApart: 100)
    await drainMainQueue()
    #expect(recorder.locations.count == count && !recorder.events.contains("resume"))
    manager.startUpdatingLocation()
    #expect(try await eventually { recorder.events.contains("resume") })
    bench.waitUntilIdle()
    #expect(bench.services.isOpen)
  }

  @Test("a manager that may not pause does not")
  func mayNotPause() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.activityType = .fitness
    manager.pausesLocationUpdatesAutomatically = false
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    drive(bench, from: 0, count: 40, secondsApart: 60)
    await drainMainQueue()
    #expect(!recorder.events.contains("pause"))
  }

  @Test("a manager that resumes automatically continues once it moves")
  func resumesByItself() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.activityType = .fitness
    manager.resumesLocationUpdatesAutomatically = true
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    drive(bench, from: 0, count: 13, secondsApart: 60)
    #expect(try await eventually { recorder.events.contains("pause") })
    bench.waitUntilIdle()
    #expect(bench.services.isOpen)
    drive(bench, from: 13, count: 4, metresApart: 100, secondsApart: 60)
    #expect(try await eventually { recorder.events.contains("resume") })
    withExtendedLifetime(manager) {}
  }
}

import Configuration
import CoreLocation
import ScriptedSource
import Testing

/// Managers whose authorization follows a policy.
@Suite(.timeLimit(.minutes(30))) struct AccessTests {
  private func bench(
    _ rule: AuthorizationRule, answer: AuthorizationAnswer = .always,
    accuracy: AccuracyRule = .full, purposes: [String: Bool] = [:]
  ) -> Bench {
    var policy = Policy()
    policy.defaultAuthorization = rule
    policy.defaultAnswer = answer
    policy.defaultAccuracy = accuracy
    var application = ApplicationPolicy()
    application.purposes = purposes
    policy.applications["test"] = application
    return Bench(policy: policy)
  }

  @Test(
    "a service may start before authorization is determined; data begins with the authorization")
  func startsBeforeItIsDecided() async throws {
    let bench = bench(.ask)
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    #expect(manager.authorizationStatus == .notDetermined)
    #expect(try await eventually { recorder.events == ["authorization 0"] })
    bench.publisher.send(.fix(latitude: 1, longitude: 2))
    #expect(bench.openings.withLock { $0 } == 0)
    manager.requestWhenInUseAuthorization()
    #expect(try await eventually { recorder.events.contains("authorization 4") })
    bench.waitUntilIdle()
    bench.publisher.send(.fix(latitude: 1, longitude: 2))
    #expect(try await eventually { recorder.events.contains("location") })
    #expect(recorder.events == ["authorization 0", "authorization 4", "location"])
  }

  @Test("a request that changes nothing reports nothing")
  func requestWithoutChange() async throws {
    let bench = bench(.whenInUse)
    let (manager, recorder) = bench.manager()
    manager.requestWhenInUseAuthorization()
    manager.requestAlwaysAuthorization()
    bench.waitUntilIdle()
    #expect(try await eventually { !recorder.events.isEmpty })
    await drainMainQueue()
    #expect(recorder.events == ["authorization 4"])
  }

  @Test("always can be requested once after when-in-use")
  func alwaysAfterWhenInUse() async throws {
    let bench = bench(.ask)
    let (manager, recorder) = bench.manager()
    manager.requestWhenInUseAuthorization()
    #expect(try await eventually { recorder.events.contains("authorization 4") })
    manager.requestAlwaysAuthorization()
    #expect(try await eventually { recorder.events.contains("authorization 3") })
    await drainMainQueue()
    #expect(recorder.events.last == "authorization 3")
  }

  @Test("an administrator's rule gives restricted, and the error names the rule")
  func restricted() async throws {
    let bench = bench(.restricted)
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    #expect(try await eventually { recorder.events.count >= 2 })
    #expect(recorder.events == ["authorization 1", "error 1"])
    #expect(bench.openings.withLock { $0 } == 0)
  }

  @Test(
    "reduced accuracy gives a shifted place, with its status, and the same place for the same fix")
  func reducedAccuracy() async throws {
    let bench = bench(.always, accuracy: .reduced)
    let (manager, recorder) = bench.manager()
    #expect(manager.accuracyAuthorization == .reducedAccuracy)
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(.fix(latitude: 48.1234, longitude: 11.5678, accuracy: 3))
    #expect(try await eventually { !recorder.locations.isEmpty })
    let location = try #require(recorder.locations.first?.last)
    #expect(location.horizontalAccuracy >= 1000 && location.horizontalAccuracy <= 20_000)
    let truth = CLLocation(latitude: 48.1234, longitude: 11.5678)
    #expect(location.distance(from: truth) <= location.horizontalAccuracy * 2)
    #expect(location.speed < 0 && location.course < 0 && location.verticalAccuracy <= 0)
  }

  @Test("full accuracy for a purpose is granted where the policy lists it, and reported")
  func temporaryFullAccuracy() async throws {
    let bench = bench(.always, accuracy: .reduced, purposes: ["Navigate": true, "Ads": false])
    let (manager, recorder) = bench.manager()
    #expect(try await eventually { recorder.events.count == 1 })
    await #expect(throws: CLError.self) {
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Ads")
    }
    #expect(manager.accuracyAuthorization == .reducedAccuracy)
    try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Navigate")
    #expect(manager.accuracyAuthorization == .fullAccuracy)
    #expect(try await eventually { recorder.events.count == 2 })
    await #expect(throws: CLError.self) {
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Navigate")
    }
  }

  @Test("under a strict policy a program in the background has headings beside locations only")
  func strictBackground() async throws {
    var policy = Policy()
    policy.strictBackground = true
    let bench = Bench(policy: policy, isInBackground: true)
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    bench.publisher.send(.heading(10))
    await drainMainQueue()
    #expect(recorder.headings.isEmpty)
    manager.allowsBackgroundLocationUpdates = true
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(.heading(20, at: 2))
    #expect(try await eventually { !recorder.headings.isEmpty })
  }
}

import Board
import CoreLocation
import LinuxIO
import LocationHost
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct LiveUpdateTests {
  @Test("every fix comes as an update, the last known one first")
  func fixes() async throws {
    let bench = MonitorBench()
    try await bench.learnPlace()
    var first = bench.updates()
    let update = try #require(try await first.next())
    #expect(abs((update.location?.coordinate.latitude ?? 0) - 10) < 1e-9)
    #expect(!update.stationary && !update.locationUnavailable && !update.accuracyLimited)
    #expect(!update.insufficientlyInUse && !update.serviceSessionRequired)
    var second = bench.updates()
    let known = try #require(try await second.next())
    #expect(known.location === update.location)
    bench.publisher.send(.fix(latitude: 11, longitude: 20, at: 2))
    for loop in [try await first.next(), try await second.next()] {
      #expect(abs((loop?.location?.coordinate.latitude ?? 0) - 11) < 1e-9)
    }
  }

  @Test("nothing starts before a loop runs, and the service ends with the loop")
  func dropped() async throws {
    let bench = MonitorBench()
    _ = bench.updates()
    #expect(!bench.services.isOpen)
    try await bench.learnPlace()
    #expect(bench.publisher.latest != nil)
    #expect(try await eventually { !bench.services.isOpen })
    #expect(bench.authority.observerCount == 1)
  }

  @Test("a cancelled task ends its loop without an error, and no other")
  func cancelled() async throws {
    let bench = MonitorBench()
    let loops = (0..<2).map { _ in
      Task { () -> Int in
        var count = 0
        for try await _ in bench.use({ CLLocationUpdate.liveUpdates() }) { count += 1 }
        return count
      }
    }
    #expect(try await eventually { bench.publisher.observerCount == 1 })
    loops[0].cancel()
    #expect(try await loops[0].value == 0)
    #expect(bench.services.isOpen)
    loops[1].cancel()
    #expect(try await loops[1].value == 0)
    #expect(try await eventually { !bench.services.isOpen })
  }

  @Test("the authorization is requested, and its state is reported without a location")
  func authorization() async throws {
    let bench = MonitorBench(.notDetermined)
    var loop = bench.updates()
    let asking = try #require(try await loop.next())
    #expect(asking.authorizationRequestInProgress && asking.location == nil)
    #expect(bench.authority.requests == [.authorizedWhenInUse])
    #expect(!bench.services.isOpen)
    bench.authority.decide(.authorizedWhenInUse)
    // The source is open for its description before the loop demands fixes.
    bench.waitUntilIdle()
    #expect(bench.publisher.observerCount == 1)
    bench.publisher.send(.fix(latitude: 1, longitude: 1))
    #expect(try await loop.next()?.location != nil)
    bench.authority.decide(.denied)
    let denied = try #require(try await loop.next())
    #expect(denied.authorizationDenied && !denied.authorizationDeniedGlobally)
    #expect(denied.location == nil)
    #expect(!bench.services.isOpen)
    bench.authority.decide(.restricted)
    #expect(try await loop.next()?.authorizationRestricted == true)
  }

  @Test("with reduced accuracy each location is marked")
  func reduced() async throws {
    let bench = MonitorBench(.authorizedWhenInUse, accuracy: .reducedAccuracy)
    try await bench.learnPlace()
    var loop = bench.updates()
    let update = try #require(try await loop.next())
    #expect(update.accuracyLimited && update.location != nil)
  }

  @Test("with reduced accuracy a location comes once for each area")
  func reducedOnce() async throws {
    let bench = MonitorBench(.authorizedWhenInUse, accuracy: .reducedAccuracy)
    try await bench.learnPlace()
    var loop = bench.updates()
    let first = try #require(try await loop.next()?.location)
    for second in 2...5 {
      bench.publisher.send(.fix(latitude: 10, longitude: 20, at: Double(second)))
    }
    bench.publisher.send(.fix(latitude: 11, longitude: 20, at: 1000))
    let second = try #require(try await loop.next()?.location)
    #expect(second.distance(from: first) > 100_000)
  }

  @Test("without a source location services are reported as off, and opening is tried again")
  func noSource() async throws {
    let isAttached = Locked(false)
    let publisher = ScriptedPublisher()
    let clock = ScriptedClock()
    let host = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in
        guard isAttached.withLock({ $0 }) else { throw .noSensors(searched: []) }
        return OpenedSource(publisher: publisher)
      }, clock: clock)
    let services = LocationServices(over: host, clock: clock)
    var loop = LocationServices.$current.withValue(services) { CLLocationUpdate.liveUpdates() }
      .makeAsyncIterator()
    let denied = try #require(try await loop.next())
    #expect(denied.authorizationDenied && denied.authorizationDeniedGlobally)
    isAttached.withLock { $0 = true }
    clock.advance(by: LocationServices.retry)
    #expect(services.isOpen)
    publisher.send(.fix(latitude: 1, longitude: 1))
    let update = try #require(try await loop.next())
    #expect(update.location != nil && !update.authorizationDenied)
  }

  @Test("the location becomes unavailable once fixes stop, and at once without a receiver")
  func unavailable() async throws {
    let bench = MonitorBench()
    try await bench.learnPlace()
    var loop = bench.updates()
    #expect(try await loop.next()?.location != nil)
    bench.clock.advance(by: LocationDelivery.updateTimeout)
    let dry = try #require(try await loop.next())
    #expect(dry.locationUnavailable && dry.location == nil)
    bench.clock.advance(by: LocationDelivery.updateTimeout)
    bench.publisher.send(.fix(latitude: 1, longitude: 1, at: 2))
    let wet = try #require(try await loop.next())
    #expect(wet.location != nil && !wet.locationUnavailable)

    let deaf = MonitorBench(publisher: ScriptedPublisher(hasReceiver: false))
    var silent = deaf.updates()
    #expect(try await silent.next()?.locationUnavailable == true)
  }

  @Test(
    "a step of civil time changes no wait for a fix", arguments: [-365 * 86_400.0, 365 * 86_400.0])
  func clockStep(step: TimeInterval) async throws {
    let bench = MonitorBench()
    try await bench.learnPlace()
    var loop = bench.updates()
    #expect(try await loop.next()?.location != nil)
    bench.clock.stepCivilTime(by: step)
    bench.clock.advance(by: LocationDelivery.updateTimeout / 2)
    bench.publisher.send(.fix(latitude: 1, longitude: 1, at: 2))
    #expect(try await loop.next()?.locationUnavailable == false)
    bench.clock.stepCivilTime(by: step)
    // An alarm of the first fix, then that of the second.
    for _ in 0..<2 { bench.clock.advance(by: LocationDelivery.updateTimeout / 2) }
    let dry = try #require(try await loop.next())
    #expect(dry.locationUnavailable && dry.location == nil)
  }

  @Test("a slow loop receives the newest updates, at most 16")
  func slow() async throws {
    let bench = MonitorBench()
    try await bench.learnPlace()
    var loop = bench.updates()
    _ = try await loop.next()
    for second in 2...101 {
      bench.publisher.send(
        .fix(latitude: Double(second) / 10, longitude: 0, at: Double(second)))
    }
    var found: [Double] = []
    for _ in 0..<16 {
      found.append(try await loop.next()?.location?.coordinate.latitude ?? 0)
    }
    let seconds: [Double] = found.map { ($0 * 10).rounded() }
    let expected: [Double] = (86...101).map { Double($0) }
    #expect(seconds == expected)
  }

  @Test(
    "during a background session a loop receives all updates of the time of a stopped program")
  func held() async throws {
    let bench = MonitorBench()
    try await bench.learnPlace()
    let session = bench.use { CLBackgroundActivitySession() }
    var loop = bench.updates()
    _ = try await loop.next()
    for second in 2...101 {
      bench.publisher.send(
        .fix(latitude: Double(second) / 10, longitude: 0, at: Double(second)))
    }
    for second in 2...101 {
      let latitude = try #require(try await loop.next()?.location?.coordinate.latitude)
      #expect((latitude * 10).rounded() == Double(second))
    }
    withExtendedLifetime(session) {}
  }
}

import Configuration
import CoreLocation
import LinuxIO
import Monitoring
import Quantities
import ScriptedSource
import Testing

/// A delegate that repeats a call for each answer does not occupy its thread. The clock stands
/// still, so that each count below is final.
@Suite(.timeLimit(.minutes(30))) struct CallbackRepetitionTests {
  /// Gives a repeating delegate the time for many rounds.
  private func letRun(_ bench: Bench) async {
    for _ in 0..<100 {
      bench.waitUntilIdle()
      await drainMainQueue()
    }
  }

  @Test("stopping and starting inside a location gives the same fix no second time")
  func locations() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    recorder.onLocations.withLock { action in
      action = { manager in
        manager.stopUpdatingLocation()
        manager.startUpdatingLocation()
      }
    }
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(.fix(latitude: 1, longitude: 2, at: 1))
    await letRun(bench)
    #expect(recorder.locations.count == 1)
    bench.publisher.send(.fix(latitude: 1, longitude: 2, at: 2))
    #expect(try await eventually { recorder.locations.count == 2 })
    await letRun(bench)
    #expect(recorder.locations.count == 2)
  }

  @Test("stopping and starting after a location gives the same fix no second time in a second")
  func locationsLater() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    recorder.onLocations.withLock { action in
      action = { manager in
        let again = ProgramValue(value: manager)
        DispatchQueue.main.async {
          again.value.stopUpdatingLocation()
          again.value.startUpdatingLocation()
        }
      }
    }
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(.fix(latitude: 1, longitude: 2, at: 1))
    await letRun(bench)
    #expect(recorder.locations.count == 1)
  }

  @Test("stopping and starting inside a heading gives the same heading no second time")
  func headings() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    recorder.onEvent.withLock { action in
      action = { event, manager in
        guard event == "heading" else { return }
        manager.stopUpdatingHeading()
        manager.startUpdatingHeading()
      }
    }
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    bench.publisher.send(.heading(10, at: 1))
    await letRun(bench)
    #expect(recorder.headings.count == 1)
    bench.publisher.send(.heading(10, at: 2))
    #expect(try await eventually { recorder.headings.count == 2 })
  }

  @Test("a request inside the answer of a request waits for a fix taken after it")
  func requests() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    recorder.onLocations.withLock { $0 = { $0.requestLocation() } }
    manager.requestLocation()
    bench.waitUntilIdle()
    bench.clock.advance(by: 1)
    bench.publisher.send(.fix(latitude: 1, longitude: 2, at: 1))
    await letRun(bench)
    #expect(recorder.locations.count == 1)
  }

  @Test(
    "a call that fails at once, repeated inside its failure, fails ten times a second at most",
    arguments: [false, true])
  func failures(isDenied: Bool) async throws {
    var policy = Policy()
    if isDenied { policy.defaultAuthorization = .denied }
    let bench = Bench(publisher: ScriptedPublisher(hasReceiver: false), policy: policy)
    let (manager, recorder) = bench.manager()
    recorder.onEvent.withLock { action in
      action = { event, manager in if event.hasPrefix("error") { manager.requestLocation() } }
    }
    manager.requestLocation()
    #expect(try await eventually { recorder.errors.count == 10 })
    await letRun(bench)
    #expect(recorder.errors.count == 10)
    // The next ones are postponed, and none is lost.
    bench.clock.advance(by: 1)
    #expect(try await eventually { recorder.errors.count == 20 })
    await letRun(bench)
    #expect(recorder.errors.count == 20)
  }

  @Test("a deferral that is refused at once, repeated inside its end, ends ten times a second")
  func deferrals() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    recorder.onEvent.withLock { action in
      action = { event, manager in
        guard event.hasPrefix("finish") else { return }
        manager.allowDeferredLocationUpdates(untilTraveled: 1, timeout: 1)
      }
    }
    manager.allowDeferredLocationUpdates(untilTraveled: 1, timeout: 1)
    await letRun(bench)
    #expect(recorder.events.filter { $0 == "finish 12" }.count == 10)
  }

  @Test("the state of a region, requested inside its answer, comes ten times a second at most")
  func states() async throws {
    let bench = MonitorBench()
    let (manager, recorder) = bench.manager()
    let home = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 48, longitude: 11), radius: 200, identifier: "home")
    let watched = try MonitoredRegion(home)
    let host = bench.host
    recorder.onEvent.withLock { action in
      action = { event, _ in
        // The host answers at once from what it knows.
        if event.hasPrefix("state") { host.send(.regionState(watched, .satisfied)) }
      }
    }
    manager.startUpdatingHeading()
    host.send(.regionState(watched, .satisfied))
    for _ in 0..<100 {
      bench.waitUntilIdle()
      await drainMainQueue()
    }
    #expect(recorder.events.filter { $0 == "state 1 home" }.count == 10)
  }

  @Test("a delegate that is set again inside an event of monitoring receives it once")
  func delegateSetAgain() async throws {
    let bench = MonitorBench()
    let (manager, recorder) = bench.manager()
    let home = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 48, longitude: 11), radius: 200, identifier: "home")
    recorder.onEvent.withLock { action in
      action = { event, manager in
        guard event == "entered home" else { return }
        let delegate = manager.delegate
        manager.delegate = nil
        manager.delegate = delegate
      }
    }
    bench.host.send(.entered(try MonitoredRegion(home)))
    #expect(try await eventually { recorder.events.contains("entered home") })
    for _ in 0..<20 {
      bench.waitUntilIdle()
      await drainMainQueue()
    }
    #expect(recorder.events.filter { $0 == "entered home" }.count == 1)
    #expect(try await eventually { bench.host.unacknowledged.isEmpty })
    withExtendedLifetime(manager) {}
  }
}

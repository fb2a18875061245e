import Board
import CoreLocation
import LinuxIO
import LocationHost
import Quantities
import Recording
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct ManagerTests {
  @Test("every property has the default that an iPhone's manager has")
  func defaults() {
    let manager = Bench().use { CLLocationManager() }
    #expect(manager.delegate == nil)
    #expect(manager.location == nil && manager.heading == nil)
    #expect(manager.distanceFilter == kCLDistanceFilterNone)
    #expect(manager.desiredAccuracy == kCLLocationAccuracyBest)
    #expect(manager.activityType == .other)
    #expect(manager.pausesLocationUpdatesAutomatically)
    #expect(!manager.allowsBackgroundLocationUpdates)
    #expect(!manager.showsBackgroundLocationIndicator)
    #expect(manager.headingFilter == 1)
    #expect(manager.headingOrientation == .portrait)
    #expect(manager.headingBody == nil)
    #expect(manager.accuracyAuthorization == .fullAccuracy)
    #expect(!manager.isAuthorizedForWidgetUpdates)
  }

  @Test("the delegate receives the authorization first, once, and then the events of the services")
  func authorizationFirst() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    manager.requestWhenInUseAuthorization()
    manager.requestAlwaysAuthorization()
    bench.waitUntilIdle()
    bench.publisher.send(.fix(latitude: 1, longitude: 2))
    #expect(try await eventually { recorder.events.count >= 2 })
    await drainMainQueue()
    #expect(recorder.events == ["authorization 3", "location"])
    #expect(manager.authorizationStatus == .authorizedAlways)
  }

  @Test("without a source the program is denied, with a remedy, and services end")
  func denied() async throws {
    let bench = Bench(failure: .noSensors(searched: ["/dev/i2c-1"]))
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    #expect(try await eventually { recorder.events.count >= 2 })
    #expect(recorder.events == ["authorization 2", "error 1"])
    #expect(manager.location == nil)
    bench.use {
      #expect(!CLLocationManager.locationServicesEnabled())
      #expect(!CLLocationManager.headingAvailable())
    }
  }

  @Test("a source that appears later is found, and the new authorization is reported")
  func later() async throws {
    let (publisher, clock, isThere) = (ScriptedPublisher(), ScriptedClock(), Locked(false))
    let host = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in
        guard isThere.withLock({ $0 }) else { throw .noSensors(searched: []) }
        return OpenedSource(publisher: publisher)
      }, clock: clock)
    let services = LocationServices(over: host, clock: clock)
    let manager = LocationServices.$current.withValue(services) { CLLocationManager() }
    let recorder = Recorder()
    manager.delegate = recorder
    #expect(try await eventually { recorder.events == ["authorization 2"] })
    isThere.withLock { $0 = true }
    #expect(
      try await eventually {
        clock.advance(by: LocationServices.retry)
        return recorder.events == ["authorization 2", "authorization 3"]
      })
    manager.startUpdatingLocation()
    #expect(try await eventually { publisher.observerCount == 1 })
    withExtendedLifetime(recorder) {}
  }

  @Test("after a delay of the program waiting events are delivered before an alarm")
  func lateAlarm() async throws {
    let (clock, rung) = (MachineClock(), Locked<[UInt64]>([]))
    let (isHeld, goesOn) = (Locked(false), DispatchSemaphore(value: 0))
    // Alarms run in turn: the first blocks the others, and the third is cancelled meanwhile.
    let holding = clock.alarm(after: 0) {
      isHeld.withLock { $0 = true }
      goesOn.wait()
    }
    #expect(try await eventually { isHeld.withLock { $0 } })
    let late = clock.alarm(after: 0.1) {
      rung.withLock { $0.append(DispatchTime.now().uptimeNanoseconds) }
    }
    let cancelled = clock.alarm(after: 0.1) { rung.withLock { $0.append(0) } }
    cancelled.cancel()
    try await Task.sleep(nanoseconds: 1_500_000_000)
    let released = DispatchTime.now().uptimeNanoseconds
    goesOn.signal()
    #expect(try await eventually { !rung.withLock { $0.isEmpty } })
    #expect(rung.withLock { $0.count == 1 && $0[0] >= released + 1_900_000_000 })
    withExtendedLifetime((holding, late)) {}
  }

  @Test("the error of a wrong LODESTAR_SOURCE lists the valid values")
  func remedy() async throws {
    let opening = SourceOpening(environment: ["LODESTAR_SOURCE": "simulation"])
    let services = LocationServices(over: ScriptedHost.make(opening))
    final class Listener: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
      let text = Locked("")
      func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        text.withLock { $0 = error.localizedDescription }
      }
    }
    let listener = Listener()
    let manager = LocationServices.$current.withValue(services) { CLLocationManager() }
    manager.delegate = listener
    manager.startUpdatingLocation()
    #expect(
      try await eventually {
        listener.text.withLock {
          $0.contains("'simulate', 'replay:FILE', 'recorded:FILE' or 'gpsd://HOST:PORT'")
        }
      }
    )
    #expect(!opening.isLive)
    #expect(SourceOpening(environment: [:]).isLive)
  }

  @Test("availability comes from the source")
  func availability() {
    Bench(publisher: ScriptedPublisher(hasMagnetometer: false)).use {
      #expect(CLLocationManager.locationServicesEnabled())
      #expect(!CLLocationManager.headingAvailable())
    }
    Bench(publisher: ScriptedPublisher(hasMagnetometer: false, hasCompass: true)).use {
      #expect(CLLocationManager.headingAvailable())
    }
    Bench().use { #expect(CLLocationManager.headingAvailable()) }
  }

  @Test("the true heading comes only while the same manager updates its location")
  func trueHeadingGate() async throws {
    let bench = Bench()
    let (plain, plainRecorder) = bench.manager()
    let (both, bothRecorder) = bench.manager()
    both.startUpdatingLocation()
    both.startUpdatingHeading()
    plain.startUpdatingHeading()
    bench.waitUntilIdle()
    bench.publisher.send(.heading(10, true: 14))
    #expect(
      try await eventually { !plainRecorder.headings.isEmpty && !bothRecorder.headings.isEmpty })
    #expect(plainRecorder.headings.first?.trueHeading == -1)
    let trueHeading = try #require(bothRecorder.headings.first).trueHeading
    #expect(abs(trueHeading - 14) < 1e-9)
    let reported = try #require(plain.heading).magneticHeading
    #expect(abs(reported - 10) < 1e-9)
  }

  @Test("a busy delegate receives every fix, in the order of time, and only the newest heading")
  @MainActor func busyDelegate() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
    await drainMainQueue()
    bench.waitUntilIdle()
    // This test occupies the main queue until the next await.
    for second in 1...20 {
      var estimate = Estimate.fix(latitude: 1, longitude: Double(second), at: Double(second))
      // The last fix is older than those before it.
      estimate.utc = UTCTime(secondsSince1970: second == 20 ? 15 : Double(second))
      estimate.magneticHeading = MagneticHeading(Angle(degrees: Double(second) * 10))
      bench.publisher.send(estimate)
    }
    await drainMainQueue()
    #expect(recorder.locations.count == 1)
    let fixes = try #require(recorder.locations.first)
    #expect(fixes.count == 20)
    #expect(zip(fixes, fixes.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
    #expect(recorder.headings.map { $0.magneticHeading.rounded() } == [200])
  }

  @Test("nothing comes after a stop, even from the delegate and for what waited already")
  @MainActor func stopInsideDelegate() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
    await drainMainQueue()
    bench.waitUntilIdle()
    recorder.onLocations.withLock { action in
      action = { manager in
        manager.stopUpdatingHeading()
        manager.stopUpdatingLocation()
      }
    }
    var estimate = Estimate.fix(latitude: 1, longitude: 1)
    estimate.magneticHeading = MagneticHeading(.zero)
    bench.publisher.send(estimate)
    await drainMainQueue()
    #expect(recorder.events == ["authorization 3", "location"])
    // The source is released asynchronously, and may deliver fixes until then.
    bench.waitUntilIdle()
    bench.publisher.send(.fix(latitude: 1, longitude: 2, at: 2))
    await drainMainQueue()
    #expect(recorder.locations.count == 1)
    #expect(manager.location?.coordinate.longitude == 1)
  }

  @Test("fixes and headings that wait for a busy delegate do not come after a stop")
  @MainActor func stopWhileWaiting() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
    await drainMainQueue()
    bench.waitUntilIdle()
    var estimate = Estimate.fix(latitude: 1, longitude: 1)
    estimate.magneticHeading = MagneticHeading(.zero)
    bench.publisher.send(estimate)
    manager.stopUpdatingLocation()
    manager.stopUpdatingHeading()
    await drainMainQueue()
    #expect(recorder.events == ["authorization 3"])
  }

  @Test("one fix is one event, however many estimates carry it")
  func oneEventPerFix() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    for step in 0..<10 {
      var estimate = Estimate.fix(latitude: 1, longitude: 2)
      estimate.timestamp = Timestamp(nanoseconds: 1_000_000_000 + UInt64(step) * 10_000_000)
      bench.publisher.send(estimate)
    }
    #expect(try await eventually { !recorder.locations.isEmpty })
    await drainMainQueue()
    #expect(recorder.locations.flatMap { $0 }.count == 1)
  }

  @Test("a request without a fix reports unknown exactly once, and the source is released")
  func requestTimeout() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.requestLocation()
    bench.waitUntilIdle()
    bench.clock.advance(by: 9.9)
    await drainMainQueue()
    #expect(recorder.errors.isEmpty)
    bench.clock.advance(by: 0.1)
    #expect(try await eventually { recorder.errors == ["error 0"] })
    bench.clock.advance(by: 100)
    bench.publisher.send(.fix(latitude: 1, longitude: 2))
    await drainMainQueue()
    #expect(recorder.errors == ["error 0"] && recorder.locations.isEmpty)
    #expect(!bench.services.isOpen)
  }

  @Test("a request is answered exactly once, and the source is released")
  func requestAnswered() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.requestLocation()
    bench.waitUntilIdle()
    bench.publisher.send(.fix(latitude: 1, longitude: 2, accuracy: 50, at: 1))
    bench.publisher.send(.fix(latitude: 1, longitude: 2, accuracy: 5, at: 2))
    bench.publisher.send(.fix(latitude: 1, longitude: 2, accuracy: 4, at: 3))
    #expect(try await eventually { !recorder.locations.isEmpty })
    #expect(!bench.services.isOpen)
    bench.clock.advance(by: 60)
    await drainMainQueue()
    #expect(recorder.locations.flatMap { $0 }.map(\.horizontalAccuracy) == [5])
    #expect(recorder.errors.isEmpty)
  }

  @Test("each of several requests on the way is answered by a fix taken after it")
  func requestsOnTheWay() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    for number in 1...3 {
      manager.requestLocation()
      bench.waitUntilIdle()
      // The known fix is fresh enough for updates; it is not the answer.
      await drainMainQueue()
      #expect(recorder.locations.count == number - 1)
      bench.clock.advance(by: 2)
      bench.publisher.send(
        .fix(latitude: Double(number), longitude: 2, accuracy: 3, at: Double(number) * 2))
      #expect(try await eventually { recorder.locations.count == number })
    }
    let latitudes = recorder.locations.flatMap { $0 }.map { $0.coordinate.latitude.rounded() }
    #expect(latitudes == [1, 2, 3])
  }

  @Test("a request while headings run ends and leaves the source open")
  func requestBesideHeading() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    manager.requestLocation()
    bench.waitUntilIdle()
    bench.clock.advance(by: 10)
    #expect(try await eventually { recorder.errors == ["error 0"] })
    #expect(bench.services.isOpen)
  }

  @Test("without a receiver the location is unknown at once, and headings still come")
  func noReceiver() async throws {
    let bench = Bench(publisher: ScriptedPublisher(hasReceiver: false))
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    manager.requestLocation()
    #expect(try await eventually { recorder.errors == ["error 0"] })
    bench.publisher.send(.heading(5))
    #expect(try await eventually { recorder.headings.count == 1 })
  }

  @Test("thirty seconds without a fix is unknown once, and the next fix comes all the same")
  func drought() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    for _ in 0..<12 { bench.clock.advance(by: 10) }
    #expect(try await eventually { recorder.errors == ["error 0"] })
    bench.publisher.send(.fix(latitude: 1, longitude: 2))
    #expect(try await eventually { recorder.locations.count == 1 })
    for _ in 0..<5 { bench.clock.advance(by: 10) }
    #expect(try await eventually { recorder.errors == ["error 0", "error 0"] })
  }

  @Test(
    "a step of civil time changes no wait for a fix", arguments: [-365 * 86_400.0, 365 * 86_400.0])
  func clockStep(step: TimeInterval) async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.clock.advance(by: 20)
    bench.clock.stepCivilTime(by: step)
    bench.clock.advance(by: 9)
    bench.waitUntilIdle()
    #expect(recorder.errors.isEmpty)
    for _ in 0..<4 { bench.clock.advance(by: 10) }
    #expect(try await eventually { recorder.errors == ["error 0"] })
    withExtendedLifetime(manager) {}
  }

  @Test("the calibration question is asked, and the answer true holds until it is dismissed")
  func calibration() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    recorder.displaysCalibration.withLock { $0 = true }
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    var estimate = Estimate.heading(5, accuracy: nil)
    estimate.calibration = .uncalibrated
    bench.publisher.send(estimate)
    #expect(try await eventually { recorder.headings.count == 1 })
    #expect(recorder.events.filter { $0 == "calibration?" }.count == 1)
    #expect(manager.session.isCalibrationDisplayed)
    manager.dismissHeadingCalibrationDisplay()
    #expect(!manager.session.isCalibrationDisplayed)
  }

  @Test("a request for full accuracy is answered with promptDeclined, asynchronously")
  @MainActor func temporaryAccuracy() async throws {
    let (manager, _) = Bench().manager()
    let answer = Locked<CLError.Code?>(nil)
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "map") { error in
      answer.withLock { $0 = (error as? CLError)?.code }
    }
    #expect(answer.withLock { $0 } == nil)
    #expect(try await eventually { answer.withLock { $0 } == .promptDeclined })
  }
}

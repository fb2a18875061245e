import Board
import CoreLocation
import LinuxIO
import LocationHost
import ScriptedSource
import Testing

/// Without a source every service says the same.
@Suite(.timeLimit(.minutes(30))) struct NoSourceTests {
  private let home = CLCircularRegion(
    center: CLLocationCoordinate2D(latitude: 48, longitude: 11), radius: 200, identifier: "home")
  private var failure: SourceError { .noSensors(searched: ["/dev/i2c-1"]) }

  @Test("a machine without a source monitors nothing, with the error of a denial")
  func monitoring() async throws {
    let bench = MonitorBench(failure: failure)
    let (manager, recorder) = bench.manager()
    #expect(try await eventually { recorder.events == ["authorization 2"] })
    bench.use { #expect(!CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self)) }
    manager.startMonitoring(for: home)
    #expect(try await eventually { recorder.events.last == "failed home 4" })
    manager.requestState(for: home)
    #expect(try await eventually { recorder.events.count == 3 })
    #expect(recorder.events.last == "failed home 4")
    manager.startMonitoringVisits()
    #expect(try await eventually { recorder.events.last == "error 1" })
    manager.startMonitoringSignificantLocationChanges()
    #expect(try await eventually { recorder.errors.count == 2 })
    #expect(bench.host.registrations().regions.isEmpty && manager.monitoredRegions.isEmpty)
  }

  @Test("a monitor without a source reports its conditions as denied")
  func monitor() async throws {
    let bench = MonitorBench(failure: failure)
    let monitor = await bench.monitor("places")
    await monitor.add(
      CLMonitor.CircularGeographicCondition(center: home.center, radius: 200), identifier: "home")
    var events = monitor.events.makeAsyncIterator()
    let event = try #require(try await events.next())
    #expect(event.state == .unmonitored && event.identifier == "home")
    #expect(event.authorizationDenied && event.authorizationDeniedGlobally)
  }

  @Test("a machine without a source of positions monitors no circle")
  func noReceiver() async throws {
    let bench = MonitorBench(publisher: ScriptedPublisher(hasReceiver: false))
    let (manager, recorder) = bench.manager()
    bench.use { #expect(!CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self)) }
    manager.startMonitoring(for: home)
    #expect(try await eventually { recorder.events.contains("failed home 5") })
    #expect(manager.monitoredRegions.isEmpty)
  }

  @Test("sessions report a missing source as the managers do, and its end")
  func sessions() async throws {
    let isThere = Locked(false)
    let (publisher, clock) = (ScriptedPublisher(), ScriptedClock())
    let host = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in
        guard isThere.withLock({ $0 }) else { throw .noSensors(searched: []) }
        return OpenedSource(publisher: publisher)
      }, clock: clock)
    let services = LocationServices(over: host, clock: clock)
    let (session, background) = LocationServices.$current.withValue(services) {
      (CLServiceSession(authorization: .whenInUse), CLBackgroundActivitySession())
    }
    var diagnostics = session.diagnostics.makeAsyncIterator()
    let first = try #require(try await diagnostics.next())
    #expect(first.authorizationDenied && first.authorizationDeniedGlobally)
    var activity = background.diagnostics.makeAsyncIterator()
    #expect(try await activity.next()?.authorizationDenied == true)
    isThere.withLock { $0 = true }
    let advancing = Task {
      while !Task.isCancelled {
        clock.advance(by: LocationServices.retry)
        try await Task.sleep(nanoseconds: 5_000_000)
      }
    }
    let next = try #require(try await diagnostics.next())
    #expect(!next.authorizationDenied && !next.authorizationDeniedGlobally)
    #expect(try await activity.next()?.authorizationDenied == false)
    advancing.cancel()
    session.invalidate()
    background.invalidate()
  }
}

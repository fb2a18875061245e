import Board
import CoreLocation
import LinuxIO
import LocationHost
import PortedSources5
import PortedSources6
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct PortedSourcesTests {
  @Test("a provider singleton drops the old fix and finds the fresh one")
  @MainActor func provider() async throws {
    final class Listener: NSObject, LocationProviderDelegate {
      var found: [CLLocationCoordinate2D] = []
      func locationProvider(_ provider: LocationProvider, didFind place: CLLocationCoordinate2D) {
        found.append(place)
      }
      func locationProvider(_ provider: LocationProvider, didFailWith error: CLError.Code) {}
    }
    let publisher = ScriptedPublisher()
    let services = LocationServices(
      over: ScriptedHost.make(
        SourceOpening(isLive: true) { () throws(SourceError) in OpenedSource(publisher: publisher) }
      ))
    let listener = Listener()
    let provider = LocationProvider()
    provider.delegate = listener
    LocationServices.$current.withValue(services) { provider.begin() }
    _ = services.isOpen
    publisher.send(.fix(latitude: 10, longitude: 20))
    for _ in 0..<500 where listener.found.isEmpty { try await Task.sleep(nanoseconds: 5_000_000) }
    #expect(listener.found.count == 1)
    #expect(provider.lastLocation?.distance(from: CLLocation(latitude: 10, longitude: 20)) ?? 9 < 1)
    provider.end()
  }

  @Test("a model on the main actor follows the heading")
  @MainActor func compass() async throws {
    let bench = Bench()
    let model = bench.use { CompassModel() }
    model.start()
    bench.waitUntilIdle()
    bench.publisher.send(.heading(42))
    for _ in 0..<500 where model.degrees == 0 { try await Task.sleep(nanoseconds: 5_000_000) }
    #expect(abs(model.degrees - 42) < 1e-9)
    #expect(model.isAuthorized)
    model.stop()
  }

  @Test("an awaited location is returned or throws a CLError")
  @MainActor func oneShot() async throws {
    let bench = Bench()
    let one = bench.use { OneShotLocation() }
    let publisher = bench.publisher
    let feeding = Task.detached {
      for second in 1...500 {
        publisher.send(.fix(latitude: 5, longitude: 6, at: Double(second)))
        try await Task.sleep(nanoseconds: 10_000_000)
      }
    }
    let location = try await one.current()
    feeding.cancel()
    #expect(abs(location.coordinate.latitude - 5) < 1e-9)

    let broken = Bench(failure: .noSensors(searched: []))
    let none = broken.use { OneShotLocation() }
    await #expect(throws: CLError.self) { _ = try await none.current() }
  }

  @Test("a stream of headings yields")
  func stream() async throws {
    let bench = Bench()
    let stream = bench.use { HeadingStream() }
    let headings = stream.start()
    bench.waitUntilIdle()
    bench.publisher.send(.heading(8, true: 9))
    for await heading in headings {
      #expect(abs(heading.trueHeading - 9) < 1e-9)
      break
    }
  }

  @Test("a mock manager's overrides are what ported code sees")
  func mock() {
    final class Listener: NSObject, CLLocationManagerDelegate {
      var seen: [CLLocation] = []
      func locationManager(_ manager: CLLocationManager, didUpdateLocations all: [CLLocation]) {
        seen += all
      }
    }
    let mock = Bench().use { MockLocationManager() }
    let listener = Listener()
    mock.mockLocation = MockLocation(latitude: 1, longitude: 2)
    mock.delegate = listener
    let manager: CLLocationManager = mock
    manager.startUpdatingLocation()
    #expect(listener.seen.first?.course == 45)
    #expect(manager.location?.coordinate.longitude == 2)
    #expect(manager.authorizationStatus == .authorizedWhenInUse)
    #expect(mock.startCount == 1)
    #expect(MockLocationManager.headingAvailable())
    let fetching: any LocationFetching = mock
    fetching.desiredAccuracy = 7
    #expect(manager.desiredAccuracy == 7)
    #expect(MockHeading(3).trueHeading == 5)
  }

  @Test("the old delegate methods are called where the new ones are not implemented")
  func oldDelegate() async throws {
    final class Listener: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
      let log = Locked<[String]>([])
      func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
        from oldLocation: CLLocation
      ) {
        let step = [oldLocation, newLocation].map { Int($0.coordinate.latitude.rounded()) }
        log.withLock { $0.append("\(step[0])>\(step[1])") }
      }
      func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
      ) {
        log.withLock { $0.append("status \(status.rawValue)") }
      }
    }
    let bench = Bench()
    let listener = Listener()
    let manager = bench.use { CLLocationManager() }
    manager.delegate = listener
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    for second in 1...3 {
      bench.publisher.send(.fix(latitude: Double(second), longitude: 0, at: Double(second)))
      await drainMainQueue()
    }
    #expect(try await eventually { listener.log.withLock { $0.count } == 3 })
    #expect(listener.log.withLock { $0 } == ["status 3", "1>2", "2>3"])
  }
}

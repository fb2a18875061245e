import CoreLocation
import Engine
import LinuxIO
import LocationHost
import Monitoring
import Quantities
import ScriptedSource
import Testing

/// The age of locations at delivery, on a drive at 30 m/s. The receiver gives a fix a second, which takes 0.1 s to
/// arrive, and rests as the services permit.
@Suite struct FreshnessTests {
  /// Seconds from a fix to its arrival.
  private static let latency = 0.1
  /// The receiver's period, seconds.
  private static let period = 1.0
  /// The age that nothing but the known first location may have, seconds.
  private static let bound = period + 0.2

  /// A car with a receiver, and services that use it.
  private final class Drive: Sendable {
    let publisher = ScriptedPublisher()
    let clock = ScriptedClock()
    let host: LocationHost
    let services: LocationServices
    private let state = Locked(State())

    private struct State {
      var demand = FixDemand.none
      var second = 0
      var lastFix = -1000
      var ages: [Double] = []
    }

    init() {
      let (publisher, state) = (publisher, state)
      host = ScriptedHost.make(
        SourceOpening(isLive: true) { () throws(SourceError) in
          var source = OpenedSource(publisher: publisher)
          source.setReceiverDemand = { demand in state.withLock { $0.demand = demand } }
          return source
        }, clock: clock)
      services = LocationServices(over: host, clock: clock)
    }

    var ages: [Double] { state.withLock { $0.ages } }

    func note(_ location: CLLocation) {
      let age = clock.now().timeIntervalSince(location.timestamp)
      state.withLock { $0.ages.append(age) }
    }

    func manager() -> (CLLocationManager, Passenger) {
      LocationServices.$current.withValue(services) {
        let (manager, passenger) = (CLLocationManager(), Passenger(self))
        manager.delegate = passenger
        return (manager, passenger)
      }
    }

    func settle() {
      for _ in 0..<2 { _ = services.isOpen }
      host.settle()
      services.client.core.settleEvents()
      _ = services.isOpen
    }

    /// Drives for a second. The receiver is awake where a fix is due.
    func go() async {
      clock.advance(by: 1)
      settle()
      let second = state.withLock { state -> Int? in
        state.second += 1
        let isDue =
          switch state.demand {
          case .continuous: true
          case .every(let seconds): Double(state.second - state.lastFix) >= seconds
          case .none: false
          }
        if isDue { state.lastFix = state.second }
        return isDue ? state.second : nil
      }
      if let second {
        var fix = Estimate.fix(
          latitude: 48 + Double(second) * 30 / 111_195, longitude: 11, accuracy: 3,
          at: Double(second))
        fix.utc = UTCTime(clock.now().addingTimeInterval(-FreshnessTests.latency))
        publisher.send(fix)
      }
      settle()
      await drainMainQueue()
    }
  }

  /// Notes the age of each location that it receives.
  private final class Passenger: NSObject, CLLocationManagerDelegate {
    private let drive: Drive
    init(_ drive: Drive) { self.drive = drive }
    func locationManager(
      _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) { for location in locations { drive.note(location) } }
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
  }

  private static func report(_ service: String, _ ages: [Double]) {
    let later = ages.dropFirst().max() ?? 0
    let table = String(
      format: "%@: %d locations, the first %.1f s old, the oldest later one %.1f s", service,
      ages.count, ages.first ?? 0, later)
    print(table)
  }

  @Test("of the standard service is at most the receiver's period")
  func standard() async throws {
    let drive = Drive()
    let (manager, passenger) = drive.manager()
    manager.startUpdatingLocation()
    for _ in 0..<60 { await drive.go() }
    Self.report("startUpdatingLocation", drive.ages)
    #expect(drive.ages.count == 60 && (drive.ages.max() ?? 9) < Self.bound)
    // The known location comes first, with its age.
    manager.stopUpdatingLocation()
    for _ in 0..<20 { await drive.go() }
    manager.startUpdatingLocation()
    for _ in 0..<5 { await drive.go() }
    #expect(drive.ages.count == 66 && drive.ages[60] > 20)
    #expect((drive.ages[61...].max() ?? 9) < Self.bound)
    withExtendedLifetime(passenger) {}
  }

  @Test("of a request is at most the receiver's period, however often it is asked")
  func request() async throws {
    let drive = Drive()
    let (manager, passenger) = drive.manager()
    for _ in 0..<6 {
      manager.requestLocation()
      for _ in 0..<10 { await drive.go() }
    }
    Self.report("requestLocation", drive.ages)
    #expect(drive.ages.count == 6 && (drive.ages.max() ?? 9) < Self.bound)
    withExtendedLifetime(passenger) {}
  }

  @Test("of live updates is at most the receiver's period")
  func live() async throws {
    let drive = Drive()
    var updates = LocationServices.$current.withValue(drive.services) {
      CLLocationUpdate.liveUpdates(.automotiveNavigation).makeAsyncIterator()
    }
    let first = Task { try await updates.next() }
    #expect(try await eventually { drive.publisher.observerCount == 1 })
    await drive.go()
    if let location = try await first.value?.location { drive.note(location) }
    Self.report("liveUpdates", drive.ages)
    #expect(drive.ages.count == 1 && (drive.ages.max() ?? 9) < Self.bound)
  }

  @Test("of a significant change is at most the receiver's period, although the receiver rests")
  func significant() async throws {
    let drive = Drive()
    let (manager, passenger) = drive.manager()
    manager.startMonitoringSignificantLocationChanges()
    for _ in 0..<1300 { await drive.go() }
    Self.report("significant changes", drive.ages)
    #expect(drive.ages.count >= 4 && (drive.ages.dropFirst().max() ?? 9) < Self.bound)
    withExtendedLifetime(passenger) {}
  }
}

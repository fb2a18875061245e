import Board
import CoreLocation
import LinuxIO
import LocationHost
import Monitoring
import Quantities
import ScriptedSource
import Testing

/// The age of locations at delivery, on a drive at 30 m/s. The receiver gives a fix a second, which
/// takes 0.1 s to arrive, and rests as the services permit.
@Suite(.timeLimit(.minutes(30))) struct FreshnessTests {
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
      var metres = 0.0
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

    func record(_ time: Date) {
      let age = clock.now().timeIntervalSince(time)
      state.withLock { $0.ages.append(age) }
    }

    func manager() -> (CLLocationManager, Passenger) {
      LocationServices.$current.withValue(services) {
        let (manager, passenger) = (CLLocationManager(), Passenger(self))
        manager.delegate = passenger
        return (manager, passenger)
      }
    }

    /// Waits for all queues. An event goes from the monitoring's queue to the disk's and back
    /// before the client has it.
    func waitUntilIdle() {
      for _ in 0..<3 {
        _ = services.isOpen
        host.waitUntilIdle()
        services.client.core.waitForEventDelivery()
      }
      _ = services.isOpen
    }

    /// Drives for a second, at a speed in metres per second. The receiver is awake where a fix is
    /// due.
    func go(speed: Double = 30) async {
      clock.advance(by: 1)
      waitUntilIdle()
      let place = state.withLock { state -> (second: Int, metres: Double)? in
        state.second += 1
        state.metres += speed
        let isDue =
          switch state.demand {
          case .continuous: true
          case .every(let seconds): Double(state.second - state.lastFix) >= seconds
          case .none: false
          }
        if isDue { state.lastFix = state.second }
        return isDue ? (state.second, state.metres) : nil
      }
      if let place {
        var fix = Estimate.fix(
          latitude: 48 + place.metres / 111_195, longitude: 11, accuracy: 3,
          at: Double(place.second))
        fix.utc = UTCTime(clock.now().addingTimeInterval(-FreshnessTests.latency))
        publisher.send(fix)
      }
      waitUntilIdle()
      await drainMainQueue()
    }
  }

  /// Notes the age of each location that it receives.
  private final class Passenger: NSObject, CLLocationManagerDelegate {
    private let drive: Drive
    init(_ drive: Drive) { self.drive = drive }
    func locationManager(
      _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) { for location in locations { drive.record(location.timestamp) } }
    func locationManager(_ manager: CLLocationManager, didUpdateHeading heading: CLHeading) {
      drive.record(heading.timestamp)
    }
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
      drive.record(visit.departureDate == .distantFuture ? visit.arrivalDate : visit.departureDate)
    }
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
    let updates = LocationServices.$current.withValue(drive.services) {
      CLLocationUpdate.liveUpdates(.automotiveNavigation)
    }
    let loop = Task {
      for try await update in updates {
        guard let location = update.location else { continue }
        drive.record(location.timestamp)
      }
    }
    #expect(try await eventually { drive.publisher.observerCount == 1 })
    for second in 1...60 {
      await drive.go()
      #expect(try await eventually { drive.ages.count == second })
    }
    loop.cancel()
    Self.report("liveUpdates", drive.ages)
    #expect((drive.ages.max() ?? 9) < Self.bound)
  }

  @Test("of a heading is that of the estimate that it comes from")
  func heading() async throws {
    let drive = Drive()
    let (manager, passenger) = drive.manager()
    manager.headingFilter = kCLHeadingFilterNone
    manager.startUpdatingHeading()
    drive.waitUntilIdle()
    #expect(drive.publisher.observerCount == 1)
    for count in 1...100 {
      drive.clock.advance(by: 0.1)
      var estimate = Estimate.heading(Double(count), at: Double(count) / 10)
      estimate.utc = UTCTime(drive.clock.now().addingTimeInterval(-0.02))
      drive.publisher.send(estimate)
      drive.waitUntilIdle()
      await drainMainQueue()
    }
    Self.report("startUpdatingHeading", drive.ages)
    #expect(drive.ages.count == 100 && (drive.ages.max() ?? 9) < 0.1 + 0.2)
    withExtendedLifetime(passenger) {}
  }

  @Test(
    "of a car's crossing of a region is a few of the receiver's periods")
  func region() async throws {
    let drive = Drive()
    let monitor = await LocationServices.$current.withValue(drive.services) {
      await CLMonitor("way")
    }
    let crossings = Locked<[CLMonitor.Event.State]>([])
    let loop = Task {
      for try await event in monitor.events where event.state != .unknown {
        crossings.withLock { $0.append(event.state) }
        drive.record(event.date)
      }
    }
    await monitor.add(
      CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(latitude: 48 + 15_000 / 111_195.0, longitude: 11),
        radius: 2000), identifier: "bridge")
    // In at 13 km and out at 17 km: at 433 and 567 s.
    for second in 1...800 {
      await drive.go()
      let known = second < 433 ? 1 : second < 567 ? 2 : 3
      // The clock waits for the loop at the last second that is in time.
      if [432, 437, 570, 800].contains(second) {
        #expect(try await eventually { crossings.withLock { $0.count } >= known })
      } else {
        await Task.yield()
      }
    }
    loop.cancel()
    Self.report("regions", drive.ages)
    #expect(crossings.withLock { $0 } == [.unsatisfied, .satisfied, .unsatisfied])
    // The cushion, and the fix that confirms the track.
    #expect((drive.ages.max() ?? 99) < 3 + Self.bound)
  }

  @Test("of a visit is the time that tells a stay from a halt")
  func visit() async throws {
    let drive = Drive()
    let (manager, passenger) = drive.manager()
    manager.startMonitoringVisits()
    for _ in 0..<600 { await drive.go() }
    for _ in 0..<1800 { await drive.go(speed: 0) }
    for _ in 0..<600 { await drive.go() }
    Self.report("visits", drive.ages)
    // An arrival is known five minutes after it, a departure three: a halt at a crossing is no
    // visit.
    // On a busy machine the disk may answer some simulated seconds later.
    #expect(drive.ages.count == 2 && abs(drive.ages[0] - 305) < 6 && abs(drive.ages[1] - 185) < 6)
    withExtendedLifetime(passenger) {}
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

import CoreLocation
import Monitoring
import Quantities
import ScriptedSource
import Testing

/// Regions, visits and significant changes, as managers start and report them.
@Suite(.timeLimit(.minutes(30))) struct ManagerMonitoringTests {
  private let home = CLCircularRegion(
    center: CLLocationCoordinate2D(latitude: 48, longitude: 11), radius: 200, identifier: "home")

  private func monitored(_ region: CLRegion) throws -> MonitoredRegion {
    try MonitoredRegion(region)
  }

  @Test("a region is shared by all managers, and each delegate receives each event")
  func sharedByManagers() async throws {
    let bench = MonitorBench()
    let (first, one) = bench.manager()
    let (second, two) = bench.manager()
    first.startMonitoring(for: home)
    bench.waitUntilIdle()
    #expect(second.monitoredRegions.map(\.identifier) == ["home"])
    bench.host.send(.regionStarted(try monitored(home)))
    bench.host.send(.entered(try monitored(home)))
    #expect(try await eventually { one.events.suffix(2) == ["started home", "entered home"] })
    #expect(try await eventually { two.events.suffix(2) == ["started home", "entered home"] })
    #expect(try await eventually { bench.host.unacknowledged.isEmpty })
  }

  @Test("the regions of an earlier run are there without starting them again")
  func regionsOfAnEarlierRun() async throws {
    var kept = MonitoringRegistrations()
    kept.regions["home"] = try monitored(home)
    let bench = MonitorBench(host: ScriptedMonitoringHost(kept))
    let (manager, _) = bench.manager()
    let region = try #require(manager.monitoredRegions.first as? CLCircularRegion)
    #expect(region.identifier == "home" && region.radius == 200 && region !== home)
  }

  @Test("what cannot be monitored fails for its region")
  func failure() async throws {
    let bench = MonitorBench()
    let (manager, recorder) = bench.manager()
    manager.startMonitoring(
      for: CLCircularRegion(
        center: kCLLocationCoordinate2DInvalid, radius: 10, identifier: "nowhere"))
    #expect(try await eventually { recorder.events.contains("failed nowhere 5") })
    bench.host.send(.regionFailed(try monitored(home), .limitExceeded))
    #expect(try await eventually { recorder.events.last == "failed home 5" })
  }

  @Test("without the authorization 'always' regions are denied, and no command is sent")
  func denied() async throws {
    let bench = MonitorBench(.authorizedWhenInUse)
    let (manager, recorder) = bench.manager()
    manager.startMonitoring(for: home)
    #expect(try await eventually { recorder.events.contains("failed home 4") })
    #expect(bench.host.commands.isEmpty)
  }

  @Test("the state comes before the crossing, and on request")
  func stateFirst() async throws {
    let bench = MonitorBench()
    let (manager, recorder) = bench.manager()
    manager.requestState(for: home)
    bench.waitUntilIdle()
    let watched = try monitored(home)
    #expect(bench.host.commands.last == .requestState(watched))
    bench.host.send(.regionState(try monitored(home), .satisfied))
    bench.host.send(.exited(try monitored(home)))
    #expect(try await eventually { recorder.events.suffix(2) == ["state 1 home", "exited home"] })
  }

  @Test("events of a run that has ended wait for the next manager's delegate")
  func waitsForDelegate() async throws {
    let bench = MonitorBench()
    bench.host.send(.entered(try monitored(home)))
    bench.host.waitUntilIdle()
    let manager = bench.use { CLLocationManager() }
    bench.waitUntilIdle()
    #expect(bench.host.unacknowledged.count == 1)
    let recorder = Recorder()
    manager.delegate = recorder
    #expect(try await eventually { recorder.events.contains("entered home") })
    #expect(try await eventually { bench.host.unacknowledged.isEmpty })
    withExtendedLifetime(manager) {}
  }

  @Test("a visit comes at arrival and at departure, to every manager")
  func visits() async throws {
    let bench = MonitorBench()
    let (manager, recorder) = bench.manager()
    let (_, other) = bench.manager()
    manager.startMonitoringVisits()
    bench.waitUntilIdle()
    #expect(bench.host.registrations().visits)
    let arrival = UTCTime(nanosecondsSince1970: 1_000_000_000_000)
    var visit = Visit(
      position: GeodeticPosition(latitudeDegrees: 1, longitudeDegrees: 2),
      horizontalAccuracyMetres: 20, arrival: arrival, departure: nil)
    bench.host.send(.visit(visit))
    visit.departure = arrival.advanced(bySeconds: 600)
    bench.host.send(.visit(visit))
    #expect(try await eventually { recorder.events.suffix(2) == ["arrived", "departed"] })
    #expect(try await eventually { other.events.suffix(2) == ["arrived", "departed"] })
  }

  @Test("significant changes come as locations to the managers that started them")
  func significantChanges() async throws {
    let bench = MonitorBench()
    let (manager, recorder) = bench.manager()
    let (_, other) = bench.manager()
    let fix = PlaceFix(
      position: GeodeticPosition(latitudeDegrees: 1, longitudeDegrees: 2),
      horizontalAccuracyMetres: 20, time: UTCTime(nanosecondsSince1970: 1_000_000_000_000))
    bench.host.send(.significantChange(fix))
    bench.waitUntilIdle()
    // The event waits until the service is started again, as after a relaunch.
    #expect(bench.host.unacknowledged.count == 1)
    manager.startMonitoringSignificantLocationChanges()
    #expect(try await eventually { recorder.locations.count == 1 })
    #expect(recorder.locations.first?.first?.timestamp == Date(timeIntervalSince1970: 1000))
    #expect(!other.events.contains("location"))
    #expect(try await eventually { bench.host.unacknowledged.isEmpty })
  }

  @Test("a manager that stops leaves the service to the others")
  func stopsForItself() async throws {
    let bench = MonitorBench()
    let (one, _) = bench.manager()
    let (two, _) = bench.manager()
    one.startMonitoringSignificantLocationChanges()
    two.startMonitoringSignificantLocationChanges()
    one.stopMonitoringSignificantLocationChanges()
    bench.waitUntilIdle()
    #expect(bench.host.registrations().significantChanges)
    two.stopMonitoringSignificantLocationChanges()
    bench.waitUntilIdle()
    #expect(!bench.host.registrations().significantChanges)
  }

  @Test("stopping and starting significant changes gives the first place again")
  func initialAgain() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startMonitoringSignificantLocationChanges()
    bench.waitUntilIdle()
    #expect(try await eventually { bench.publisher.observerCount == 1 })
    bench.publisher.send(.fix(latitude: 1, longitude: 2, at: 1))
    #expect(try await eventually { recorder.locations.count == 1 })
    manager.stopMonitoringSignificantLocationChanges()
    manager.startMonitoringSignificantLocationChanges()
    #expect(try await eventually { recorder.locations.count == 2 })
  }

  @Test(
    "regions started before the authorization is determined begin once the program is authorized")
  func undecided() async throws {
    let bench = MonitorBench(.notDetermined)
    let (manager, recorder) = bench.manager()
    manager.startMonitoring(for: home)
    bench.waitUntilIdle()
    #expect(bench.host.commands.isEmpty)
    bench.authority.decide(.authorizedAlways)
    #expect(
      try await eventually { bench.host.registrations().regions.keys.contains("home") })
    withExtendedLifetime((manager, recorder)) {}
  }
}

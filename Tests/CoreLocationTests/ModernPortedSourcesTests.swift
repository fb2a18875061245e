import CoreLocation
import Monitoring
import PortedSources5
import PortedSources6
import Quantities
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct ModernPortedSourcesTests {
  private let home = CLLocationCoordinate2D(latitude: 60, longitude: 25)

  @Test("an actor monitors a geofence and a beacon, and has the state before each event")
  func geofences() async throws {
    let bench = MonitorBench()
    let service = GeofenceService()
    let uuid = UUID()
    try await LocationServices.$current.withValue(bench.services) {
      await service.start(home: home, beacon: uuid)
      #expect(
        await service.log == ["hall unknown", "1 true", "home unsatisfied", "true 75.0"])
      let name = GeofenceService.monitorName
      bench.host.send("home", of: name, .satisfied)
      bench.host.send(
        "hall", of: name, .satisfied,
        refinement: .beacon(BeaconPattern(uuid: uuid.uuidString, major: 1, minor: 4)))
      bench.host.send("home", of: name, .unsatisfied)
      bench.host.send("home", of: name, .unmonitored, fault: .limitExceeded)
      for _ in 0..<500 {
        if await service.log.count >= 9 { break }
        try await Task.sleep(nanoseconds: 5_000_000)
      }
      #expect(
        await service.log.dropFirst(4) == [
          "home unsatisfied to satisfied", "hall unknown to satisfied", "beacon 4",
          "home satisfied to unsatisfied", "home not watched",
        ])
      await service.stop()
    }
    #expect(try await eventually { !bench.host.hasReceiver })
    #expect(bench.host.registrations().conditionCount == 0)
  }

  @Test("a model on the main actor follows live updates and shows the obstacle")
  @MainActor func tracker() async throws {
    let bench = MonitorBench(.notDetermined)
    let tracker = bench.use { LiveTracker() }
    bench.use {
      tracker.startLocationUpdates()
      tracker.backgroundActivity = true
    }
    #expect(bench.leases.count == 1)
    for _ in 0..<500 where tracker.notice != .asking {
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    #expect(tracker.notice == .asking)
    bench.authority.decide(.authorizedWhenInUse)
    #expect(bench.services.isOpen)
    bench.publisher.send(.fix(latitude: 12, longitude: 13))
    for _ in 0..<500 where tracker.count == 0 { try await Task.sleep(nanoseconds: 5_000_000) }
    #expect(tracker.notice == .none && !tracker.isStationary)
    #expect(abs(tracker.lastLocation.coordinate.latitude - 12) < 1e-9)
    tracker.stopLocationUpdates()
    tracker.backgroundActivity = false
    #expect(bench.leases.count == 0)
    bench.publisher.send(.fix(latitude: 13, longitude: 13, at: 2))
    #expect(try await eventually { !bench.services.isOpen })
  }

  @Test("one place is awaited, from a loop, from the first element and from a stream")
  func onePlace() async throws {
    let bench = MonitorBench()
    try await bench.learnPlace()
    try await LocationServices.$current.withValue(bench.services) {
      let longitude = try await CurrentPlace().coordinate().longitude
      #expect(abs(longitude - 20) < 1e-9)
      #expect(await CurrentPlace().first()?.horizontalAccuracy == 5)
      for try await location in CurrentPlace().stream(.airborne) {
        #expect(location.horizontalAccuracy == 5)
        break
      }
      let isFull = try await hasFullAccess()
      #expect(isFull)
    }
    let denied = MonitorBench(.denied)
    await LocationServices.$current.withValue(denied.services) {
      await #expect(throws: LocationError.denied) { _ = try await CurrentPlace().coordinate() }
    }
  }

  @Test("a store of regions has one for each name and finds those around a place")
  func regions() throws {
    let store = RegionStore()
    store.add(CLCircularRegion(center: home, radius: 10, identifier: "home"))
    store.add(CLCircularRegion(center: home, radius: 500, identifier: "home"), onExit: false)
    store.add(officeRegion(uuid: UUID()))
    #expect(store.regions.count == 2)
    #expect(store.names(containing: .init(latitude: 60.001, longitude: 25)) == ["home"])
    #expect(try store.save().count > 100)
    #expect(RegionStore.text(CLRegionState.inside) == "inside")
    #expect(RegionStore.text(CLProximity.far) == "far")
    let advertised = advertisement(of: officeRegion(uuid: UUID()))
    #expect((advertised?["kCBAdvDataAppleBeaconKey"] as? Data)?.count == 21)
    let beacon = MutableBeacon(rssi: -50)
    beacon.rssi = -60
    #expect((beacon as CLBeacon).rssi == -60 && (beacon as CLBeacon).major == 12)
    #expect((MutableVisit(arrival: .distantPast) as CLVisit).arrivalDate == .distantPast)
  }

  @Test("a class of the Swift 5 mode reads the name of iOS 17")
  @available(*, deprecated)
  func speed() async throws {
    let bench = MonitorBench()
    try await bench.learnPlace()
    // The observer that is counted below is the model's, not that of the ended loop.
    #expect(try await eventually { !bench.services.isOpen })
    let model = SpeedModel()
    bench.use { model.begin() }
    #expect(try await eventually { bench.publisher.observerCount == 1 })
    bench.waitUntilIdle()
    var fix = Estimate.fix(latitude: 1, longitude: 1, at: 2)
    fix.speedMetresPerSecond = 7
    bench.publisher.send(fix)
    for _ in 0..<500 where model.speed < 0 { try await Task.sleep(nanoseconds: 5_000_000) }
    #expect(model.speed == 7 && !model.isStill)
    model.end()
    #expect(try await eventually { !bench.services.isOpen })
  }

  @Test("conditions under the names of Apple's articles are the monitor's own")
  func names() {
    let all = conditions(center: home, uuid: UUID())
    #expect(all.allSatisfy { MonitoredCondition($0) != nil })
    #expect(MonitoredCondition(DaylightCondition(hours: 8...16)) == nil)
  }
}

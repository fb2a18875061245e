import CoreLocation
import Engine
import Quantities
import ScriptedSource
import TestSupport
import Testing

@Suite struct ServicesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store in a folder of its own.
  private func store() -> LastFixStore {
    LastFixStore(
      file: URL(fileURLWithPath: folder.path).appendingPathComponent("deep/last-fix.json"))
  }

  private func stored(at time: Date) -> LocationValues {
    var values = LocationValues(latitude: 60, longitude: 25, timestamp: time)
    values.horizontalAccuracy = 8
    values.isSimulated = false
    values.isFromAccessory = true
    return values
  }

  @Test("managers share one source, which is let go with the last service")
  func sharing() async throws {
    let bench = Bench()
    let (first, _) = bench.manager()
    let (second, _) = bench.manager()
    first.startUpdatingLocation()
    first.startUpdatingLocation()
    second.startUpdatingHeading()
    bench.settle()
    #expect(bench.openings.withLock { $0 } == 1)
    #expect(bench.publisher.observerCount == 1)
    first.stopUpdatingLocation()
    #expect(bench.services.isOpen)
    second.stopUpdatingHeading()
    #expect(!bench.services.isOpen)
    #expect(bench.publisher.observerCount == 0)
    second.startUpdatingHeading()
    #expect(bench.services.isOpen)
    #expect(bench.openings.withLock { $0 } == 2)
  }

  @Test("a source opened only to be asked is let go after a while")
  func lingering() {
    let bench = Bench()
    bench.use { #expect(CLLocationManager.headingAvailable()) }
    #expect(bench.services.isOpen)
    bench.clock.advance(by: LocationServices.lingering)
    #expect(!bench.services.isOpen)
    bench.use { #expect(CLLocationManager.headingAvailable()) }
    #expect(bench.openings.withLock { $0 } == 1)
  }

  @Test("a manager that is let go takes its services along")
  func managerGone() async throws {
    let bench = Bench()
    do {
      let (manager, _) = bench.manager()
      manager.startUpdatingHeading()
      bench.settle()
      #expect(bench.services.isOpen)
    }
    await drainMainQueue()
    #expect(!bench.services.isOpen)
  }

  @Test("a sensor attached later changes the authorization, and the delegate is told")
  func attachedLater() async throws {
    let isAttached = Locked(false)
    let clock = ScriptedClock()
    let publisher = ScriptedPublisher()
    let services = LocationServices(
      opening: SourceOpening(isLive: true) { () throws(SourceError) in
        guard isAttached.withLock({ $0 }) else { throw .noSensors(searched: []) }
        return publisher
      }, store: nil, clock: clock)
    let manager = LocationServices.$current.withValue(services) { CLLocationManager() }
    let recorder = Recorder()
    manager.delegate = recorder
    recorder.manager.withLock { $0 = manager }
    #expect(try await eventually { recorder.events == ["authorization 2"] })
    isAttached.withLock { $0 = true }
    manager.startUpdatingLocation()
    #expect(try await eventually { recorder.events == ["authorization 2", "authorization 3"] })
  }

  @Test("the last fix is delivered first, with the time when it was taken")
  func knownFix() async throws {
    let store = store()
    let bench = Bench(store: store)
    let taken = bench.clock.now().addingTimeInterval(-86_400)
    try store.write(stored(at: taken))
    let (manager, recorder) = bench.manager()
    #expect(manager.location?.coordinate.latitude == 60)
    manager.startUpdatingLocation()
    #expect(try await eventually { recorder.locations.count == 1 })
    bench.publisher.send(.fix(latitude: 61, longitude: 25))
    #expect(try await eventually { recorder.locations.count == 2 })
    let all = recorder.locations.flatMap { $0 }
    #expect(all.map { $0.coordinate.latitude.rounded() } == [60, 61])
    #expect(all.first?.timestamp == taken)
    #expect(all.first?.sourceInformation?.isSimulatedBySoftware == false)
  }

  @Test("a live fix is kept at once, then every minute, and when the source is let go")
  func keeping() throws {
    let store = store()
    let bench = Bench(store: store)
    let (manager, _) = bench.manager()
    manager.startUpdatingLocation()
    bench.settle()
    func send(_ latitude: Double, at second: Double) {
      bench.publisher.send(.fix(latitude: latitude, longitude: 0, at: second))
      bench.settle()
    }
    func kept() -> Double? { store.read().map { ($0.latitude * 1e6).rounded() / 1e6 } }
    send(1, at: 1)
    #expect(kept() == 1)
    bench.clock.advance(by: 59)
    send(2, at: 60)
    #expect(kept() == 1)
    bench.clock.advance(by: 1)
    send(3, at: 61)
    #expect(kept() == 3)
    send(4, at: 62)
    manager.stopUpdatingLocation()
    #expect(!bench.services.isOpen)
    #expect(kept() == 4)
  }

  @Test(
    "a simulated or replayed fix is never kept, and a kept one not mixed with these",
    arguments: [(false, false), (true, true)])
  func simulated(isLive: Bool, isSimulated: Bool) throws {
    let store = store()
    if !isLive { try store.write(stored(at: Date(timeIntervalSince1970: 5))) }
    let bench = Bench(
      publisher: ScriptedPublisher(isSimulated: isSimulated), isLive: isLive, store: store)
    let (manager, _) = bench.manager()
    #expect(manager.location == nil)
    manager.startUpdatingLocation()
    bench.settle()
    bench.publisher.send(.fix(latitude: 1, longitude: 0))
    #expect(manager.location?.sourceInformation?.isSimulatedBySoftware == true)
    manager.stopUpdatingLocation()
    bench.settle()
    #expect(store.read()?.latitude == (isLive ? nil : 60))
  }

  @Test("a damaged file is no fix, and the folder follows the XDG rules")
  func file() throws {
    let store = store()
    try store.write(stored(at: Date(timeIntervalSince1970: 5)))
    #expect(store.read() == stored(at: Date(timeIntervalSince1970: 5)))
    try Data("{\"latitude\":".utf8).write(to: store.file)
    #expect(store.read() == nil)
    func path(_ environment: [String: String]) -> String? {
      LastFixStore(environment: environment)?.file.path
    }
    #expect(
      path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/corelocation/last-fix.json")
    #expect(
      path(["XDG_STATE_HOME": "s", "HOME": "/h"])
        == "/h/.local/state/corelocation/last-fix.json")
    #expect(path([:]) == nil)
  }
}

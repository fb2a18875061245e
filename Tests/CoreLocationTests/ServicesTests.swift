import Board
import CoreLocation
import LinuxIO
import LocationHost
import Quantities
import Recording
import ScriptedSource
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct ServicesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The file of the last fix in a separate folder.
  private func store() -> LastFixFile {
    LastFixFile(stateFolder: folder.path + "/deep", health: StateHealth(log: HostLog { _, _ in })) {
      0
    }
  }

  private func stored(at time: Date) -> Estimate {
    var fix = Estimate.fix(latitude: 60, longitude: 25, accuracy: 8)
    fix.utc = UTCTime(time)
    return fix
  }

  private func bench(_ publisher: ScriptedPublisher = ScriptedPublisher(), isLive: Bool = true)
    -> Bench
  {
    Bench(publisher: publisher, isLive: isLive, stateFolder: folder.path + "/deep")
  }

  @Test("managers share one source, which is released with the last service")
  func sharing() async throws {
    let bench = Bench()
    let (first, _) = bench.manager()
    let (second, _) = bench.manager()
    first.startUpdatingLocation()
    first.startUpdatingLocation()
    second.startUpdatingHeading()
    bench.waitUntilIdle()
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

  @Test("a simulation or recording is opened once and goes on until the process ends")
  func oneSource() async throws {
    let bench = Bench(isLive: false)
    let (manager, recorder) = bench.manager()
    for number in 1...3 {
      manager.startUpdatingLocation()
      bench.waitUntilIdle()
      bench.publisher.send(.fix(latitude: Double(number), longitude: 2, at: Double(number)))
      #expect(
        try await eventually {
          recorder.locations.last?.last?.coordinate.latitude.rounded() == Double(number)
        })
      manager.stopUpdatingLocation()
      bench.waitUntilIdle()
      #expect(bench.openings.withLock { $0 } == 1 && bench.services.isOpen)
    }
    bench.host.stop("the test ends") {}
    #expect(bench.publisher.observerCount == 0)
  }

  @Test("the activity that the receivers of fixes have in common reaches the source")
  func activity() async throws {
    let (publisher, seen) = (ScriptedPublisher(), Locked<[Activity]>([]))
    let host = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in
        var source = OpenedSource(publisher: publisher)
        source.setActivity = { activity in
          seen.withLock { if $0.last != activity { $0.append(activity) } }
        }
        return source
      })
    let services = LocationServices(over: host)
    let (car, plane, updates) = LocationServices.$current.withValue(services) {
      (CLLocationManager(), CLLocationManager(), CLLocationUpdate.liveUpdates(.airborne))
    }
    @Sendable func last() -> Activity? {
      // After the start, and after the demand that it has queued.
      for _ in 0..<2 { _ = services.isOpen }
      return seen.withLock { $0.last }
    }
    car.activityType = .automotiveNavigation
    car.startUpdatingLocation()
    #expect(last() == .automotiveNavigation)
    car.activityType = .fitness
    #expect(last() == .fitness)
    plane.activityType = .airborne
    // Headings need no motion model.
    plane.startUpdatingHeading()
    #expect(last() == .fitness)
    let loop = Task { for try await _ in updates {} }
    #expect(try await eventually { last() == .other })
    car.stopUpdatingLocation()
    #expect(last() == .airborne)
    loop.cancel()
    plane.stopUpdatingHeading()
  }

  @Test(
    "a recording has the time when it is played, and the recorded one on request",
    arguments: ["replay:", "recorded:"])
  func timeOfRecording(prefix: String) async throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let log = root.appendingPathComponent("Examples/Recordings/receiver.log").path
    let services = LocationServices(environment: [
      "LODESTAR_SOURCE": prefix + log, "XDG_STATE_HOME": folder.path,
    ])
    let (manager, recorder) = LocationServices.$current.withValue(services) {
      let (manager, recorder) = (CLLocationManager(), Recorder())
      manager.delegate = recorder
      return (manager, recorder)
    }
    manager.startUpdatingLocation()
    #expect(try await eventually { !recorder.locations.isEmpty })
    let location = try #require(recorder.locations.first?.last)
    if prefix == SourceChoice.replayPrefix {
      // Much more than a busy machine delays the delivery.
      #expect(abs(location.timestamp.timeIntervalSinceNow) < 600)
    } else {
      // 09:00:01 of 1 July 2026, in the file.
      #expect(abs(location.timestamp.timeIntervalSince1970 - 1_782_896_401) < 0.5)
    }
    #expect(location.sourceInformation?.isSimulatedBySoftware == true)
    manager.stopUpdatingLocation()
  }

  @Test("a source opened only for its description is released after a delay")
  func idleRelease() {
    let bench = Bench()
    bench.use { #expect(CLLocationManager.headingAvailable()) }
    #expect(bench.services.isOpen)
    bench.clock.advance(by: OnDemandSource.lookSeconds)
    #expect(!bench.services.isOpen)
    bench.use { #expect(CLLocationManager.headingAvailable()) }
    #expect(bench.openings.withLock { $0 } == 1)
  }

  @Test("a released manager ends its services")
  func managerGone() async throws {
    let bench = Bench()
    do {
      let (manager, _) = bench.manager()
      manager.startUpdatingHeading()
      bench.waitUntilIdle()
      #expect(bench.services.isOpen)
    }
    await drainMainQueue()
    #expect(!bench.services.isOpen)
  }

  @Test("a sensor attached later changes the authorization, and the change is reported")
  func attachedLater() async throws {
    let isAttached = Locked(false)
    let clock = ScriptedClock()
    let publisher = ScriptedPublisher()
    let host = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in
        guard isAttached.withLock({ $0 }) else { throw .noSensors(searched: []) }
        return OpenedSource(publisher: publisher)
      }, clock: clock)
    let services = LocationServices(over: host, clock: clock)
    let manager = LocationServices.$current.withValue(services) { CLLocationManager() }
    let recorder = Recorder()
    manager.delegate = recorder
    recorder.manager = manager
    #expect(try await eventually { recorder.events == ["authorization 2"] })
    isAttached.withLock { $0 = true }
    manager.startUpdatingLocation()
    #expect(try await eventually { recorder.events == ["authorization 2", "authorization 3"] })
  }

  @Test("the last fix is delivered first, with the time when it was taken")
  func knownFix() async throws {
    let store = store()
    let taken = ScriptedClock().now().addingTimeInterval(-86_400)
    store.store(stored(at: taken))
    let bench = bench()
    let (manager, recorder) = bench.manager()
    #expect(manager.location?.coordinate.latitude.rounded() == 60)
    manager.startUpdatingLocation()
    #expect(try await eventually { recorder.locations.count == 1 })
    bench.publisher.send(.fix(latitude: 61, longitude: 25))
    #expect(try await eventually { recorder.locations.count == 2 })
    let all = recorder.locations.flatMap { $0 }
    #expect(all.map { $0.coordinate.latitude.rounded() } == [60, 61])
    #expect(all.first?.timestamp == taken)
    #expect(all.first?.sourceInformation?.isSimulatedBySoftware == false)
  }

  @Test("a live fix is stored at once, then every minute, and when the source is released")
  func keeping() throws {
    let store = store()
    let bench = bench()
    let (manager, _) = bench.manager()
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    func send(_ latitude: Double, at second: Double) {
      bench.publisher.send(.fix(latitude: latitude, longitude: 0, at: second))
      bench.waitUntilIdle()
    }
    func kept() -> Double? {
      store.read()?.position.map { ($0.latitude.degrees * 1e6).rounded() / 1e6 }
    }
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
    bench.waitUntilIdle()
    #expect(kept() == 4)
  }

  @Test(
    "a simulated or replayed fix is never stored, and a stored one not mixed with these",
    arguments: [(false, false), (true, true)])
  func simulated(isLive: Bool, isSimulated: Bool) throws {
    let store = store()
    if !isLive { store.store(stored(at: Date(timeIntervalSince1970: 5))) }
    let bench = bench(ScriptedPublisher(isSimulated: isSimulated), isLive: isLive)
    let (manager, _) = bench.manager()
    #expect(manager.location == nil)
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(.fix(latitude: 1, longitude: 0))
    #expect(manager.location?.sourceInformation?.isSimulatedBySoftware == true)
    manager.stopUpdatingLocation()
    bench.waitUntilIdle()
    #expect((store.read()?.position?.latitude.degrees.rounded()) == (isLive ? nil : 60))
  }

  @Test("a damaged file gives no fix, and the folder follows the XDG rules")
  func file() throws {
    let store = store()
    store.store(stored(at: Date(timeIntervalSince1970: 5)))
    #expect(store.read() == stored(at: Date(timeIntervalSince1970: 5)))
    let file = URL(fileURLWithPath: folder.path + "/deep/last-fix.json")
    try Data("{\"timestamp\":".utf8).write(to: file)
    #expect(store.read() == nil)
    func path(_ environment: [String: String]) -> String? {
      ProgramStateFolder.url(environment: environment)?.path
    }
    #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/corelocation")
    #expect(path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/corelocation")
    #expect(path([:]) == nil)
  }
}

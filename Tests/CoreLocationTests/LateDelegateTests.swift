import CoreLocation
import Quantities
import ScriptedSource
import Testing

/// What happens before a program sets the delegate of its manager is not lost.
@Suite(.timeLimit(.minutes(30))) struct LateDelegateTests {
  /// A manager whose services run before it has a delegate.
  private func start(
    _ bench: Bench, _ begin: (CLLocationManager) -> Void
  ) -> CLLocationManager {
    let manager = bench.use { CLLocationManager() }
    begin(manager)
    bench.waitUntilIdle()
    return manager
  }

  @Test("a board at rest gives a delegate that is set late its heading, whatever the filter")
  func heading() async throws {
    let bench = Bench()
    let manager = start(bench) { manager in
      manager.headingFilter = 30
      manager.startUpdatingHeading()
    }
    for degrees in [10.0, 11, 12] { bench.publisher.send(.heading(degrees, at: degrees)) }
    await drainMainQueue()
    let recorder = Recorder()
    manager.delegate = recorder
    #expect(try await eventually { recorder.headings.count == 1 })
    #expect(recorder.headings.first?.magneticHeading.rounded() == 12)
    // The filter begins at the delivered heading.
    bench.publisher.send(.heading(41, at: 41))
    await drainMainQueue()
    #expect(recorder.headings.count == 1)
    bench.publisher.send(.heading(43, at: 43))
    #expect(try await eventually { recorder.headings.count == 2 })
  }

  @Test("a board at rest gives a delegate that is set late its newest location, with any filter")
  func location() async throws {
    let bench = Bench()
    let manager = start(bench) { manager in
      manager.distanceFilter = 5000
      manager.startUpdatingLocation()
    }
    for second in 1...3 {
      bench.publisher.send(.fix(latitude: 1, longitude: Double(second) / 1e6, at: Double(second)))
    }
    await drainMainQueue()
    let recorder = Recorder()
    manager.delegate = recorder
    #expect(try await eventually { recorder.locations.count == 1 })
    #expect(recorder.locations.first?.map(\.coordinate.longitude) == [3 / 1e6])
    bench.publisher.send(.fix(latitude: 1, longitude: 0, at: 4))
    await drainMainQueue()
    #expect(recorder.locations.count == 1)
  }

  @Test("the authorization comes first also for a delegate that is set late")
  func order() async throws {
    let bench = Bench()
    let manager = start(bench) { $0.requestLocation() }
    bench.publisher.send(.fix(latitude: 1, longitude: 2))
    await drainMainQueue()
    let recorder = Recorder()
    manager.delegate = recorder
    #expect(try await eventually { recorder.events == ["authorization 3", "location"] })
  }

  @Test("an error that came before the delegate is reported to it")
  func error() async throws {
    let bench = Bench(publisher: ScriptedPublisher(hasReceiver: false))
    let manager = start(bench) { manager in
      manager.startUpdatingLocation()
      manager.startMonitoring(
        for: CLCircularRegion(
          center: kCLLocationCoordinate2DInvalid, radius: 10, identifier: "nowhere"))
    }
    await drainMainQueue()
    let recorder = Recorder()
    manager.delegate = recorder
    #expect(try await eventually { recorder.events.count == 3 })
    #expect(recorder.events.first == "authorization 3")
    #expect(Set(recorder.events.dropFirst()) == ["error 0", "failed nowhere 5"])
  }

  @Test("a program that only asks for them has heading and location without a delegate")
  func polling() async throws {
    let bench = Bench()
    let manager = start(bench) { manager in
      manager.startUpdatingHeading()
      manager.startUpdatingLocation()
    }
    for second in 1...2 {
      var estimate = Estimate.fix(latitude: Double(second), longitude: 2, at: Double(second))
      estimate.magneticHeading = MagneticHeading(Angle(degrees: Double(second)))
      bench.publisher.send(estimate)
      #expect(manager.heading?.magneticHeading.rounded() == Double(second))
      #expect(manager.location?.coordinate.latitude.rounded() == Double(second))
    }
  }

  @Test("a delegate that replaces a released one receives what came in between")
  func released() async throws {
    let bench = Bench()
    let manager = bench.use { CLLocationManager() }
    do {
      let first = Recorder()
      manager.delegate = first
      manager.distanceFilter = 5000
      manager.startUpdatingLocation()
      bench.waitUntilIdle()
      bench.publisher.send(.fix(latitude: 1, longitude: 2, at: 1))
      #expect(try await eventually { first.locations.count == 1 })
    }
    #expect(manager.delegate == nil)
    bench.publisher.send(.fix(latitude: 1, longitude: 2, at: 2))
    let second = Recorder()
    manager.delegate = second
    #expect(try await eventually { second.locations.count == 1 })
  }

  @Test("the options that a subclass sets before it is given a queue hold")
  func options() {
    final class Tuned: CLLocationManager {
      override init() {
        super.init()
        distanceFilter = 25
        desiredAccuracy = kCLLocationAccuracyKilometer
        headingFilter = 7
        activityType = .fitness
        pausesLocationUpdatesAutomatically = false
      }
    }
    let manager = Bench().use { Tuned(queue: DispatchQueue(label: "options")) }
    #expect(manager.distanceFilter == 25 && manager.desiredAccuracy == 1000)
    #expect(manager.headingFilter == 7 && manager.activityType == .fitness)
    #expect(!manager.pausesLocationUpdatesAutomatically)
  }
}

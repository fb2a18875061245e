import CoreLocation
import ScriptedSource
import Testing

/// The events that wait for a delegate are bounded.
@Suite(.timeLimit(.minutes(30))) struct BoundedMemoryTests {
  @Test("for a delegate that is not called only the newest fixes wait, up to the limit")
  func blockedDelegate() async throws {
    let bench = Bench()
    let queue = DispatchQueue(label: "blocked")
    let manager = bench.use { CLLocationManager(queue: queue) }
    let recorder = Recorder()
    manager.delegate = recorder
    manager.pausesLocationUpdatesAutomatically = false
    queue.suspend()
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    for n in 0..<5000 {
      bench.publisher.send(.fix(latitude: Double(n) * 1e-5, longitude: 0, at: Double(n) + 1))
      bench.publisher.send(.heading(Double(n % 360), at: Double(n) + 1.5))
    }
    queue.resume()
    #expect(try await eventually { !recorder.locations.isEmpty && !recorder.headings.isEmpty })
    #expect(recorder.locations.flatMap { $0 }.count == 1000)
    #expect(recorder.locations.last?.last?.coordinate.latitude == 4999 * 1e-5)
    #expect(recorder.headings.count == 1)
    withExtendedLifetime(manager) {}
  }

  @Test("of repeated failures one waits")
  func repeatedFailures() async throws {
    let bench = Bench(publisher: ScriptedPublisher(hasReceiver: false))
    let queue = DispatchQueue(label: "blocked")
    let manager = bench.use { CLLocationManager(queue: queue) }
    let recorder = Recorder()
    manager.delegate = recorder
    queue.suspend()
    for _ in 0..<200 {
      manager.startUpdatingLocation()
      bench.waitUntilIdle()
      manager.stopUpdatingLocation()
    }
    queue.resume()
    #expect(try await eventually { !recorder.errors.isEmpty })
    #expect(recorder.errors == ["error 0"])
    withExtendedLifetime(manager) {}
  }
}

import CoreLocation
import LocationHost
import Quantities
import ScriptedSource
import Testing

/// `desiredAccuracy = kCLLocationAccuracyReduced` in a program of full accuracy.
@Suite(.timeLimit(.minutes(30))) struct CoarseLocationTests {
  /// A place that is not the middle of its cell.
  private let place = (latitude: 48.1234, longitude: 11.5678)

  private func check(_ location: CLLocation) {
    let middle = ReducedAccuracy.cell(
      of: GeodeticPosition(latitudeDegrees: place.latitude, longitudeDegrees: place.longitude))
    #expect(location.coordinate.latitude == middle.latitude.degrees)
    #expect(location.coordinate.longitude == middle.longitude.degrees)
    #expect((1000...20_000).contains(location.horizontalAccuracy))
    #expect(location.verticalAccuracy <= 0 && location.speed < 0 && location.course < 0)
    #expect(location.covariance == nil && location.velocity == nil && location.fix == nil)
  }

  private func fix(at seconds: Double, north metres: Double = 0) -> Estimate {
    var estimate = Estimate.fix(
      latitude: place.latitude + metres / 111_195, longitude: place.longitude, accuracy: 3,
      at: seconds)
    estimate.speedMetresPerSecond = 12
    estimate.course = Angle(degrees: 90)
    (estimate.altitudeMetres, estimate.verticalAccuracyMetres) = (520, 4)
    return estimate
  }

  @Test("updates and the known location are coarse, and those of another manager stay exact")
  func updates() async throws {
    let bench = Bench()
    let (coarse, coarseRecorder) = bench.manager()
    let (exact, exactRecorder) = bench.manager()
    coarse.desiredAccuracy = kCLLocationAccuracyReduced
    for manager in [coarse, exact] { manager.startUpdatingLocation() }
    bench.waitUntilIdle()
    for second in 1...5 {
      bench.publisher.send(fix(at: Double(second), north: Double(second)))
    }
    #expect(
      try await eventually {
        !coarseRecorder.locations.isEmpty && exactRecorder.locations.flatMap { $0 }.count == 5
      })
    await drainMainQueue()
    // One location for one cell.
    let locations = coarseRecorder.locations.flatMap { $0 }
    #expect(locations.count == 1)
    check(try #require(locations.first))
    check(try #require(coarse.location))
    #expect(exact.location?.horizontalAccuracy == 3 && exact.location?.speed == 12)
    // The authorization of the program is another matter.
    #expect(coarse.accuracyAuthorization == .fullAccuracy)
  }

  @Test("a request is answered by a coarse location")
  func request() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.desiredAccuracy = kCLLocationAccuracyReduced
    manager.requestLocation()
    bench.waitUntilIdle()
    bench.publisher.send(fix(at: 1))
    #expect(try await eventually { recorder.locations.count == 1 })
    check(try #require(recorder.locations.first?.last))
  }

  @Test("the location from before the start is coarse")
  func known() async throws {
    let bench = Bench()
    let (first, recorder) = bench.manager()
    first.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(fix(at: 1))
    #expect(try await eventually { recorder.locations.count == 1 })
    let (second, coarseRecorder) = bench.manager()
    second.desiredAccuracy = kCLLocationAccuracyReduced
    second.startUpdatingLocation()
    #expect(try await eventually { coarseRecorder.locations.count == 1 })
    check(try #require(coarseRecorder.locations.first?.last))
  }

  @Test("the accuracy may be changed while updates run")
  func change() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.desiredAccuracy = kCLLocationAccuracyReduced
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    bench.publisher.send(fix(at: 1))
    #expect(try await eventually { recorder.locations.count == 1 })
    manager.desiredAccuracy = kCLLocationAccuracyBest
    bench.publisher.send(fix(at: 2))
    #expect(try await eventually { recorder.locations.count == 2 })
    #expect(recorder.locations.last?.last?.horizontalAccuracy == 3)
    manager.desiredAccuracy = kCLLocationAccuracyReduced
    bench.publisher.send(fix(at: 3))
    #expect(try await eventually { recorder.locations.count == 3 })
    check(try #require(recorder.locations.last?.last))
  }
}

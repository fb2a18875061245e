import CoreLocation
import Quantities
import ScriptedSource
import Testing

/// Properties of a manager take effect while its services run.
@Suite(.timeLimit(.minutes(30))) struct LivePropertyTests {
  @Test("the filter of headings may be changed while they run")
  func headingFilter() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.headingFilter = 30
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    for (degrees, count) in [(10.0, 1), (16, 1)] {
      bench.publisher.send(.heading(degrees, at: degrees))
      await drainMainQueue()
      #expect(recorder.headings.count == count)
    }
    manager.headingFilter = 5
    bench.publisher.send(.heading(17, at: 17))
    #expect(try await eventually { recorder.headings.count == 2 })
    manager.headingFilter = kCLHeadingFilterNone
    bench.publisher.send(.heading(17, at: 18))
    #expect(try await eventually { recorder.headings.count == 3 })
  }

  @Test("the reference of headings may be changed while they run")
  func headingReference() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    bench.publisher.send(.heading(10, at: 1))
    #expect(try await eventually { recorder.headings.count == 1 })
    manager.headingOrientation = .landscapeLeft
    bench.publisher.send(.heading(10, at: 2))
    #expect(try await eventually { recorder.headings.count == 2 })
    #expect(recorder.headings.last?.magneticHeading.rounded() == 100)
  }

  @Test("the filter of locations and the kind of motion may be changed while updates run")
  func locations() async throws {
    let bench = Bench()
    let (manager, recorder) = bench.manager()
    manager.distanceFilter = 5000
    manager.startUpdatingLocation()
    bench.waitUntilIdle()
    for second in 1...2 {
      bench.publisher.send(.fix(latitude: 1, longitude: Double(second) / 1000, at: Double(second)))
    }
    #expect(try await eventually { recorder.locations.count == 1 })
    manager.distanceFilter = 50
    bench.publisher.send(.fix(latitude: 1, longitude: 2.1 / 1000, at: 3))
    #expect(try await eventually { recorder.locations.count == 2 })
    manager.activityType = .automotiveNavigation
    manager.pausesLocationUpdatesAutomatically = false
    manager.allowsBackgroundLocationUpdates = true
    bench.waitUntilIdle()
    #expect(manager.session.demand.motion == .automotiveNavigation)
    #expect(LeaseCount(client: bench.services.client).count == 1)
    manager.allowsBackgroundLocationUpdates = false
    #expect(LeaseCount(client: bench.services.client).count == 0)
  }
}

import CoreLocation
import Engine
import Monitoring
import ScriptedSource
import Testing

/// Services over a scripted source, host of monitoring, authority and lease.
struct MonitorBench: Sendable {
  let publisher: ScriptedPublisher
  let clock = ScriptedClock()
  let host: ScriptedMonitoringHost
  let authority: ScriptedAuthority
  let leases = LeaseCount()
  let services: LocationServices

  init(
    _ status: CLAuthorizationStatus = .authorizedAlways,
    accuracy: CLAccuracyAuthorization = .fullAccuracy, grants: Set<String> = [],
    publisher: ScriptedPublisher = ScriptedPublisher(),
    host: ScriptedMonitoringHost = ScriptedMonitoringHost(), failure: SourceError? = nil
  ) {
    (self.publisher, self.host) = (publisher, host)
    authority = ScriptedAuthority(status, accuracy: accuracy, grants: grants)
    services = LocationServices(
      opening: SourceOpening(isLive: true) { () throws(SourceError) in
        if let failure { throw failure }
        return publisher
      }, store: nil, clock: clock, authority: authority, lease: leases,
      monitoring: { [host] in host })
  }

  /// Runs `body` with everything that it makes belonging to this bench.
  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try LocationServices.$current.withValue(services, operation: body)
  }

  /// Makes a manager with a recorder as its delegate.
  func manager() -> (CLLocationManager, Recorder) {
    let manager = use { CLLocationManager() }
    let recorder = Recorder()
    manager.delegate = recorder
    recorder.manager.withLock { $0 = manager }
    return (manager, recorder)
  }

  /// Waits until everything that was asked so far has taken effect.
  func settle() {
    _ = services.isOpen
    host.settle()
  }

  /// Makes a monitor.
  func monitor(_ name: String = "places") async -> CLMonitor {
    await LocationServices.$current.withValue(services) { await CLMonitor(name) }
  }

  /// Makes a loop over live updates.
  func updates(
    _ configuration: CLLocationUpdate.LiveConfiguration = .default
  ) -> CLLocationUpdate.Updates.Iterator {
    use { CLLocationUpdate.liveUpdates(configuration) }.makeAsyncIterator()
  }

  /// Has the process know a place, so that a loop begins with it at once.
  func learnPlace() async throws {
    let learning = Task {
      for try await update in use({ CLLocationUpdate.liveUpdates() })
      where update.location != nil { break }
    }
    #expect(try await eventually { publisher.observerCount == 1 })
    publisher.send(.fix(latitude: 10, longitude: 20))
    try await learning.value
  }
}

/// Counts the leases that are held.
final class LeaseCount: ActivityLease {
  private let held = Locked(0)

  var count: Int { held.withLock { $0 } }

  func holdActivity() -> Observation {
    held.withLock { $0 += 1 }
    let isHeld = Locked(true)
    return Observation { [held] in
      let wasHeld = isHeld.withLock { isHeld in
        defer { isHeld = false }
        return isHeld
      }
      if wasHeld { held.withLock { $0 -= 1 } }
    }
  }
}

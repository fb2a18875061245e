import Board
import CoreLocation
import HostClient
import LocationHost
import Monitoring
import Recording
import ScriptedSource
import Testing

/// Services over a host with scripted source, monitoring and access.
struct MonitorBench: Sendable {
  let publisher: ScriptedPublisher
  let clock = ScriptedClock()
  let host: ScriptedMonitoringHost
  let authority: ScriptedAccess
  let services: LocationServices
  private let locationHost: LocationHost

  init(
    _ status: CLAuthorizationStatus = .authorizedAlways,
    accuracy: CLAccuracyAuthorization = .fullAccuracy, grants: Set<String> = [],
    publisher: ScriptedPublisher = ScriptedPublisher(),
    host: ScriptedMonitoringHost = ScriptedMonitoringHost(), failure: SourceError? = nil
  ) {
    (self.publisher, self.host) = (publisher, host)
    authority = ScriptedAccess(status, accuracy: accuracy, grants: grants)
    let locationHost = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in
        if let failure { throw failure }
        return OpenedSource(publisher: publisher)
      }, clock: clock, access: authority, journals: ScriptedJournals(host))
    self.locationHost = locationHost
    services = LocationServices(over: locationHost, clock: clock)
    host.onSettle = { [weak services] in services?.client.core.waitForEventDelivery() }
    authority.onChange = { [weak locationHost] in locationHost?.accessChanged() }
    authority.countObservers = { [weak services] in services?.client.core.accesses.count ?? 0 }
  }

  /// The number of held leases.
  var leases: LeaseCount { LeaseCount(client: services.client) }

  /// Runs `body` so that objects made in it use this bench's services.
  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try LocationServices.$current.withValue(services, operation: body)
  }

  /// Makes a manager with a recorder as its delegate.
  func manager() -> (CLLocationManager, Recorder) {
    let manager = use { CLLocationManager() }
    let recorder = Recorder()
    manager.delegate = recorder
    recorder.manager = manager
    return (manager, recorder)
  }

  /// Waits until all requests so far have taken effect.
  func waitUntilIdle() {
    _ = services.isOpen
    locationHost.waitUntilIdle()
    host.waitUntilIdle()
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

  /// Sets the known location of the process, with which a loop begins at once.
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

/// Counts the leases of a client.
struct LeaseCount {
  let client: HostClient

  var count: Int { client.core.withState { $0.leases } }
}

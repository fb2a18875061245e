internal import HostClient
internal import LinuxIO
internal import LocationHost

/// The services of the sources that the program named. Managers of one source share its services,
/// which are released with the last manager; those of a simulation or recording, which goes on, are
/// kept.
package final class SourceRegistry: Sendable {
  /// The registry of the process.
  static let shared = SourceRegistry()

  /// Makes an empty registry.
  package init() {}

  private let services = Locked<[String: Entry]>([:])

  private struct Entry {
    weak var services: LocationServices?
    var kept: LocationServices?
  }

  /// The services of a source: those of an existing manager of the same id, with its lever arm,
  /// else new ones.
  package func services(for source: CLLocationSource) -> LocationServices {
    services.withLock { known in
      known = known.filter { $0.value.services != nil }
      if let there = known[source.id]?.services { return there }
      let environment = ProcessInfo.processInfo.environment
      // Do not store fixes: another antenna's position is not the machine's last location.
      let host = ProcessHost.make(
        SourceOpening(source: source), environment: environment, storesFixes: false)
      let name = ApplicationIdentity.identifier(environment: environment)
      let new = LocationServices(
        client: HostClient(application: name, host: host), source: source)
      let goesOn = source.kind == .simulation || source.kind == .replay
      known[source.id] = Entry(services: new, kept: goesOn ? new : nil)
      return new
    }
  }
}

extension LocationServices {
  /// The services of a source that the program named.
  static func services(for source: CLLocationSource) -> LocationServices {
    // The process's managers use the attached board too, unless the environment names another
    // source.
    if source == .board, current.isAttachedBoard { return current }
    return SourceRegistry.shared.services(for: source)
  }
}

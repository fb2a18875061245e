/// The services of the sources that programs named: managers of one source share it, and it goes with the
/// last of them.
package final class SourceRegistry: Sendable {
  /// The process's.
  static let shared = SourceRegistry()

  /// Makes a registry of nothing.
  package init() {}

  private let services = Locked<[String: Entry]>([:])

  private struct Entry {
    weak var services: LocationServices?
  }

  /// The services of a source; made where no manager has one with its id. While one has, its lever arm holds.
  package func services(for source: CLLocationSource) -> LocationServices {
    services.withLock { known in
      known = known.filter { $0.value.services != nil }
      if let there = known[source.id]?.services { return there }
      // A place of another antenna must not be taken for the last one of this machine: no store.
      let new = LocationServices(
        opening: SourceOpening(source: source), store: nil,
        authority: LocationServices.current.authority)
      known[source.id] = Entry(services: new)
      return new
    }
  }
}

extension LocationServices {
  /// The services of a source that a program named.
  static func services(for source: CLLocationSource) -> LocationServices {
    // What is attached is what the process's managers use too, unless the environment says another source.
    if source == .board, current.opening.isAttachedBoard { return current }
    return SourceRegistry.shared.services(for: source)
  }
}

extension CLLocationUpdate {
  /// Locations from now on. Every loop has its own service, which ends with the loop or its task; a slow
  /// loop finds the newest updates.
  public struct Updates: AsyncSequence, Sendable {
    /// A location, or why there is none.
    public typealias Element = CLLocationUpdate

    /// Updates that may wait for a slow loop; the oldest go first.
    static let backlog = 16

    let configuration: LiveConfiguration
    let services: LocationServices

    /// Begins to take updates; the service starts with the first one that is asked for.
    public func makeAsyncIterator() -> Iterator {
      Iterator(configuration: configuration, services: services)
    }

    /// Takes updates until it is released or its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
      private let configuration: LiveConfiguration
      private let services: LocationServices
      private var base: AsyncStream<CLLocationUpdate>.Iterator?

      fileprivate init(configuration: LiveConfiguration, services: LocationServices) {
        (self.configuration, self.services) = (configuration, services)
      }

      /// The next update, once there is one; nil where the task was cancelled.
      public mutating func next() async throws -> CLLocationUpdate? {
        var updates = base ?? LiveUpdates.start(configuration, services).makeAsyncIterator()
        defer { base = updates }
        return await updates.next()
      }
    }
  }
}

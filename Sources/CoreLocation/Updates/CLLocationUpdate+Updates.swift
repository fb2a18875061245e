extension CLLocationUpdate {
  /// Locations from now on. Every loop has its own service, which ends with the loop or its task; a slow
  /// loop finds the newest 16 updates, and while a background session is held the newest 3600: what came while
  /// the program was stopped.
  public struct Updates: AsyncSequence, Sendable {
    /// A location, or why there is none.
    public typealias Element = CLLocationUpdate

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
      private var loop: LiveUpdates.Loop?

      fileprivate init(configuration: LiveConfiguration, services: LocationServices) {
        (self.configuration, self.services) = (configuration, services)
      }

      /// The next update, once there is one; nil where the task was cancelled.
      public mutating func next() async throws -> CLLocationUpdate? {
        var loop = loop ?? LiveUpdates.start(configuration, services)
        defer { self.loop = loop }
        return await loop.next()
      }
    }
  }
}

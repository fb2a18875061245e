extension CLLocationUpdate {
  /// Locations from now on. Every loop has its own service, which ends with the loop or its task.
  /// For a slow loop the newest 16 updates wait. While a background session is held, the newest
  /// 3600 wait: those of the time when the program was stopped.
  public struct Updates: AsyncSequence, Sendable {
    /// A location, or the reason why there is none.
    public typealias Element = CLLocationUpdate

    let configuration: LiveConfiguration
    let services: LocationServices

    /// Begins to receive updates. The service starts when the first update is requested.
    public func makeAsyncIterator() -> Iterator {
      Iterator(configuration: configuration, services: services)
    }

    /// Receives updates until it is released or its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
      private let configuration: LiveConfiguration
      private let services: LocationServices
      private var loop: LiveUpdates.Loop?

      fileprivate init(configuration: LiveConfiguration, services: LocationServices) {
        (self.configuration, self.services) = (configuration, services)
      }

      /// Waits for the next update; nil where the task was cancelled.
      public mutating func next() async throws -> CLLocationUpdate? {
        var loop = loop ?? LiveUpdates.start(configuration, services)
        defer { self.loop = loop }
        return await loop.next()
      }
    }
  }
}

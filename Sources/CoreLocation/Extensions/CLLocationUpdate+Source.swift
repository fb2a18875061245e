extension CLLocationUpdate {
  /// The locations of one source from now on, whatever the process's managers use; else as `liveUpdates(_:)`.
  /// Loops and managers of the same source share it. Lodestar's own; Apple has nothing alike.
  /// - Parameters:
  ///   - configuration: What moves.
  ///   - source: What `CLLocationManager.availableSources` lists, or a program names.
  /// - Returns: A sequence that each loop gets from its own beginning.
  public static func liveUpdates(
    _ configuration: LiveConfiguration = .default, source: CLLocationSource
  ) -> Updates {
    Updates(configuration: configuration, services: .services(for: source))
  }
}

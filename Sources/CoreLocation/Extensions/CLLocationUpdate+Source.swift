extension CLLocationUpdate {
  /// The locations of one source from now on, independent of the process's managers, as in
  /// `liveUpdates(_:)`. Loops and managers of the same source share it. A Lodestar extension.
  /// - Parameters:
  ///   - configuration: The kind of motion.
  ///   - source: A source of `CLLocationManager.availableSources`, or one that the program names.
  /// - Returns: A sequence that starts anew for each loop.
  public static func liveUpdates(
    _ configuration: LiveConfiguration = .default, source: CLLocationSource
  ) -> Updates {
    Updates(configuration: configuration, services: .services(for: source))
  }
}

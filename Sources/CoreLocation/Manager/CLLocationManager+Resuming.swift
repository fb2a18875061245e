extension CLLocationManager {
  /// Whether paused updates go on by themselves once the board moves again; the policy's
  /// `resumesAutomatically` unless it is set. False is what Apple documents today: the program starts its
  /// updates again. Lodestar's own.
  public var resumesLocationUpdatesAutomatically: Bool {
    get { session.resumesAutomatically }
    set { session.setResumesAutomatically(newValue) }
  }
}

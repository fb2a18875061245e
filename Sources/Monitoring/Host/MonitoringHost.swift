/// Monitoring of one application, wherever it runs: in the program itself or in the daemon.
///
/// Every method can be called from any thread and none waits for a sensor.
public protocol MonitoringHost: AnyObject, Sendable {
  /// What is asked for now, the last `perform` included.
  func registrations() -> MonitoringRegistrations
  /// Does what the application asks; commands take effect in the order in which they were given.
  func perform(_ command: MonitoringCommand)
  /// Hands every event that was not acknowledged to `body`, in order, then each new one, on a thread of
  /// the host's; in place of the receiver before. nil: events wait.
  func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?)
}

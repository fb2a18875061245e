/// Monitoring of one application, in the program itself or in the daemon.
///
/// Every method may be called from any thread, and none waits for a sensor.
public protocol MonitoringHost: AnyObject, Sendable {
  /// The present registrations, the last `perform` included.
  func registrations() -> MonitoringRegistrations
  /// Executes a command of the application; commands take effect in the order of the calls.
  func perform(_ command: MonitoringCommand)
  /// Calls `body` on a thread of the host with every event that was not acknowledged, in order,
  /// then with each new one. It replaces the previous `body`; with nil events stay pending.
  func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?)
}

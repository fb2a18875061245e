package import Monitoring

/// Monitoring that is opened by the first who needs it: most programs never do.
package final class LazyMonitoringHost: MonitoringHost, @unchecked Sendable {
  private let open: @Sendable () -> any MonitoringHost
  private let lock = NSRecursiveLock()
  private var host: (any MonitoringHost)?
  private var openListener: (@Sendable (any MonitoringHost) -> Void)?
  private var commandListener: (@Sendable () -> Void)?

  /// Makes a host of how to get at the real one.
  package init(open: @escaping @Sendable () -> any MonitoringHost) { self.open = open }

  /// Calls `body` once with the real host, when it is opened.
  func onOpen(_ body: @escaping @Sendable (any MonitoringHost) -> Void) {
    lock.withLock { openListener = body }
  }

  /// Calls `body` after every command.
  func onPerform(_ body: @escaping @Sendable () -> Void) {
    lock.withLock { commandListener = body }
  }

  package func registrations() -> MonitoringRegistrations { real.registrations() }

  package func perform(_ command: MonitoringCommand) {
    real.perform(command)
    lock.withLock { commandListener }?()
  }

  package func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) { real.deliver(to: body) }

  private var real: any MonitoringHost {
    // Recursive: who hears of the opening may ask at once.
    lock.withLock {
      if let host { return host }
      let opened = open()
      host = opened
      openListener?(opened)
      return opened
    }
  }
}

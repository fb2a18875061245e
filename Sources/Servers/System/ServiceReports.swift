import LinuxIO
import LocationHost
import Quantities

/// The reports of the socket's thread to the service manager: watchdog and status.
struct ServiceReports {
  private var alive: Timestamp?
  private var reported: Timestamp?
  private var wasAlive = true

  /// The longest wait of the thread, milliseconds.
  func milliseconds(_ manager: ServiceManager) -> Int32 {
    Int32(bounded: min(1000, (manager.watchdogSeconds ?? 10) * 250))
  }

  /// Sends the reports that are due.
  mutating func beat(
    _ host: LocationHost, _ manager: ServiceManager, _ log: HostLog, clients count: Int
  ) {
    let now = MonotonicClock.now
    if let seconds = manager.watchdogSeconds,
      alive.map({ now.seconds(since: $0) >= seconds / 2 }) ?? true
    {
      alive = now
      let works = host.isAlive
      let isAlive = works.engine && works.monitoring
      if isAlive { manager.alive() }
      if wasAlive, !isAlive {
        let what = works.engine ? "monitoring has stopped" : "the engine processes no samples"
        log.error("\(what); the watchdog is not notified until it works again")
      }
      wasAlive = isAlive
    }
    guard reported.map({ now.seconds(since: $0) >= 1 }) ?? true else { return }
    reported = now
    let fault = host.storageFault.map { "; not stored: \($0)" } ?? ""
    manager.report(
      status: "\(host.source.status); \(count) \(count == 1 ? "client" : "clients")\(fault)")
  }
}

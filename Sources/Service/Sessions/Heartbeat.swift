import Foundation

/// What the loop does beside its sessions: the watchdog's sign of life, and the status.
struct Heartbeat {
  private var alive: UInt64 = 0
  private var told: UInt64 = 0
  private var wasAlive = true

  /// How long the loop may wait, milliseconds.
  func milliseconds(_ manager: ServiceManager) -> Double {
    min(1000, (manager.watchdogSeconds ?? 10) * 250)
  }

  /// Says what is due.
  mutating func beat(_ loop: ServiceLoop) {
    let now = DispatchTime.now().uptimeNanoseconds
    let (manager, supervisor) = (loop.context.manager, loop.context.supervisor)
    if let seconds = manager.watchdogSeconds, Double(now - alive) * 1e-9 >= seconds / 2 {
      alive = now
      let (isEngineAlive, isMonitoringAlive) = (supervisor.isAlive, loop.context.desks.isAlive)
      let isAlive = isEngineAlive && isMonitoringAlive
      if isAlive { manager.alive() }
      if wasAlive, !isAlive {
        let what = isEngineAlive ? "monitoring does nothing" : "the engine takes no samples in"
        loop.context.log.error("\(what) any more: the watchdog is told nothing until it does")
      }
      wasAlive = isAlive
    }
    guard Double(now - told) * 1e-9 >= 1 else { return }
    told = now
    let count = loop.sessions.values.filter { $0.hello != nil }.count
    manager.tell(status: "\(supervisor.status); \(count) \(count == 1 ? "client" : "clients")")
  }
}

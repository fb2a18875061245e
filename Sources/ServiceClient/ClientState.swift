import Foundation
import Monitoring
import Quantities
import ServiceProtocol

/// What a connection knows and wants; it outlives every single connection.
package struct ClientState {
  /// Lines that may wait for a daemon that reads nothing.
  static let mostWaiting = 8192

  // What the daemon has told.
  var isWelcome = false
  var hasBeenWelcome = false
  var fault: DaemonError?
  var source = ServedSource()
  var access = ServedAccess(authorization: .notDetermined, accuracy: .full)
  var calibration: CalibrationReport?
  var lastFix: Estimate?
  var latest: Estimate?

  // What is wanted, and told again after a reconnection.
  package var demand = EstimateDemand.none
  var wantsSamples = false
  var leases = 0
  var wantsEvents = false
  var openMonitors: Set<String> = []
  /// What was asked for while the daemon was away, in order.
  var wantedAccess: [ServedAuthorization] = []

  // What is on its way.
  var isStopped = false
  var outbox: [[UInt8]] = []
  var nextID: UInt64 = 1
  var requests: [UInt64: @Sendable (Result<DaemonMessage, DaemonError>) -> Void] = [:]
  var monitoring = MonitoringMirror()

  /// Lines that wait to be sent.
  package var waitingLines: Int { outbox.count }

  mutating func takeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// What is said first after a welcome.
  mutating func resumption() -> [[UInt8]] {
    var lines: [ClientMessage] = []
    if !demand.isEmpty { lines.append(.demand(demand)) }
    if wantsSamples { lines.append(.samples(true)) }
    lines += wantedAccess.map { .authorize($0) }
    wantedAccess = []
    if leases > 0 { lines.append(.lease(true)) }
    for name in openMonitors.sorted() {
      lines.append(.monitor(id: takeID(), .openMonitor(name: name)))
    }
    let number = takeID()
    lines += monitoring.resumption(id: number)
    if wantsEvents { lines.append(.listen(true)) }
    return lines.map(\.line)
  }
}

import Monitoring
import Quantities

/// The state of a client's side of the protocol; it outlives every single connection.
package struct ClientState: Sendable {
  /// Messages that may wait for a host that reads nothing.
  static let mostWaiting = 8192

  // What the host has reported.
  var isWelcome = false
  var hasBeenWelcome = false
  var fault: HostError?
  /// Why the daemon's socket could not be used, while a host in this process serves.
  var socketFault: HostError?
  var source = SourceDescription()
  var access = GrantedAccess(authorization: .notDetermined, accuracy: .full)
  var calibration: CalibrationReport?
  var lastFix: Estimate?
  var latest: Estimate?

  // What the program wants, sent again after a reconnection.
  package var demand = EstimateDemand.none
  var wantsSamples = false
  package var leases = 0
  var wantsEvents = false
  var openMonitors: Set<String> = []
  /// Authorizations that were requested while there was no connection, in order.
  var wantedAccess: [GrantedAuthorization] = []

  // What is on its way.
  var isStopped = false
  /// The connection to a host in this process; nil for a socket, and while there is no connection.
  var connection: (any HostConnection)?
  /// True while a thread hands messages to the connection.
  var isSending = false
  var outbox: [ClientMessage] = []
  private var nextID: UInt64 = 1
  var requests: [UInt64: @Sendable (Result<HostMessage, HostError>) -> Void] = [:]
  /// What to call with the refusal of a monitoring command.
  var refusals: [UInt64: @Sendable (HostFault) -> Void] = [:]
  var monitoring = MonitoringMirror()

  /// Messages that wait to be sent.
  package var waitingMessages: Int { outbox.count }

  mutating func takeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// What is sent first after a welcome.
  mutating func resumption() -> [ClientMessage] {
    var messages: [ClientMessage] = []
    if !demand.isEmpty { messages.append(.demand(demand)) }
    if wantsSamples { messages.append(.samples(true)) }
    messages += wantedAccess.map { .authorize($0) }
    wantedAccess = []
    if leases > 0 { messages.append(.lease(true)) }
    for name in openMonitors.sorted() {
      messages.append(.monitor(id: takeID(), .openMonitor(name: name)))
    }
    messages += monitoring.resumption(id: takeID())
    if wantsEvents { messages.append(.listen(true)) }
    return messages
  }
}

import HostProtocol
import LinuxIO
import Monitoring
import Quantities

/// The state of a client; it persists over reconnections.
package struct ClientState: Sendable {
  /// Limit of queued messages for a host that does not read.
  static let mostWaiting = 8192

  // Reported by the host.
  var isWelcome = false
  var hasBeenWelcome = false
  var fault: HostError?
  /// The socket of the connected daemon; nil before.
  var socketPath: String?
  /// Why the daemon's socket is not usable, while a host in this process serves.
  var socketFault: HostError?
  var source = SourceDescription()
  var access = GrantedAccess(authorization: .notDetermined, accuracy: .full)
  var calibration: CalibrationReport?
  var lastFix: Estimate?
  var latest: Estimate?

  // Requested by the program; sent again after a reconnection.
  package var demand = EstimateDemand.none
  var wantsSamples = false
  var wantsReceiver = false
  package var leases = 0
  var wantsEvents = false
  var openMonitors: Set<String> = []
  /// The requested authorizations, in order. They are sent to each new host, because the last one
  /// may not have received them; a host ignores those that it has decided.
  var wantedAccess: [GrantedAuthorization] = []

  // Messages and requests in progress.
  var isStopped = false
  /// The connection to a host in this process; nil with a socket, and without a connection.
  var connection: (any HostConnection)?
  /// The thread that passes messages to the connection; nil while none does.
  var sender: WorkerThread.Identity?
  var outbox: [ClientMessage] = []
  private var nextID: UInt64 = 1
  var requests: [UInt64: @Sendable (Result<HostMessage, HostError>) -> Void] = [:]
  /// Handlers of refused monitoring commands, by the command's number.
  var refusals: [UInt64: @Sendable (HostFault) -> Void] = [:]
  var monitoring = MonitoringMirror()
  /// True after a wait for the storage of a command has timed out, until a host answers one:
  /// further commands do not wait.
  var isStorageSilent = false

  /// The number of queued messages.
  package var waitingMessages: Int { outbox.count }

  mutating func makeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// The messages to send first after `welcome`.
  mutating func resumption() -> [ClientMessage] {
    var messages: [ClientMessage] = []
    if !demand.isEmpty { messages.append(.demand(demand)) }
    if wantsSamples { messages.append(.samples(true)) }
    if wantsReceiver { messages.append(.receiver(true)) }
    messages += wantedAccess.map { .authorize($0) }
    if leases > 0 { messages.append(.lease(true)) }
    for name in openMonitors.sorted() {
      messages.append(.monitor(id: makeID(), .openMonitor(name: name)))
    }
    messages += monitoring.resumption(id: makeID())
    if wantsEvents { messages.append(.listen(true)) }
    return messages
  }
}

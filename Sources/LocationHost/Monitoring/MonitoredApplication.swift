import HostProtocol
import Monitoring
import Quantities

/// An application's monitoring and its clients. The newest client that requests events and may have
/// them receives them. Used only on the keeper's queue.
final class MonitoredApplication {
  let key: ApplicationKey
  let monitoring: any ApplicationMonitoring
  /// The claim of the newest client.
  private(set) var claim: Claim

  private let journal: UInt64
  private let rules: any AccessRules
  /// The connected clients by session.
  private var clients: [Int: MonitoringClient] = [:]
  /// The client that receives the events.
  private var listener: MonitoringClient?
  /// True while the access allows no events.
  private var isSilenced = false
  /// True after a time without a receiver of events: the monitors must be opened again.
  private var hasLostMonitors = false

  init(
    _ key: ApplicationKey, _ monitoring: any ApplicationMonitoring, journal: UInt64, claim: Claim,
    access: any AccessRules
  ) {
    (self.key, self.monitoring, self.journal) = (key, monitoring, journal)
    (self.claim, rules) = (claim, access)
  }

  var hasClients: Bool { !clients.isEmpty }

  /// Whether it has no clients, no registrations and no pending events.
  var isUnused: Bool {
    guard clients.isEmpty else { return false }
    let registered = monitoring.registrations()
    return registered.regions.isEmpty && !registered.visits && !registered.significantChanges
      && registered.monitors.values.allSatisfy(\.isEmpty) && monitoring.pending.isEmpty
  }

  func close() {
    monitoring.deliver(to: nil)
    monitoring.close()
  }

  // MARK: Clients

  /// Adds a client with its monitors, and delivers the events to it.
  /// - Returns: False where another client has more access: the application then keeps that
  ///   client's claim.
  func add(_ client: MonitoringClient) -> Bool {
    clients[client.session.number] = client
    for name in client.monitors { monitoring.perform(.openMonitor(name: name)) }
    // Before any of its events.
    client.session.send(.journal(journal))
    let own = access(of: client)
    let isGreater = clients.values.contains { $0 !== client && own.isLess(than: access(of: $0)) }
    if isGreater { return false }
    claim = client.session.claim
    deliverEvents(to: client)
    return true
  }

  /// Removes a client and closes the monitors that only it had opened.
  func remove(_ client: MonitoringClient) {
    clients[client.session.number] = nil
    for name in client.monitors where !isOpen(name) {
      monitoring.perform(.closeMonitor(name: name))
    }
    endDelivery(to: client)
  }

  /// Executes a client's command.
  /// - Returns: False if nothing was to be done.
  func perform(_ command: MonitoringCommand, of client: MonitoringClient) -> Bool {
    switch command {
    case .openMonitor(let name): client.monitors.insert(name)
    case .closeMonitor(let name):
      client.monitors.remove(name)
      // The monitor is still open in another client of the application.
      if isOpen(name) { return false }
    default: break
    }
    monitoring.perform(command)
    monitoring.waitUntilIdle()
    return true
  }

  /// The error of an executed command that is not stored; nil if it is, or needs no storage.
  func storageFault(of command: MonitoringCommand) -> HostFault? {
    switch command {
    case .openMonitor, .closeMonitor: return nil
    default: break
    }
    return monitoring.keepingFault.map {
      HostFault(
        .notKept,
        "\(key.id): the command was executed but not stored: \($0); it may be lost at a restart")
    }
  }

  private func isOpen(_ name: String) -> Bool {
    clients.values.contains { $0.monitors.contains(name) }
  }

  // MARK: Events

  /// Delivers the events to a client that requests them, unless it may not have them and the
  /// present one may.
  func deliverEvents(to client: MonitoringClient) {
    guard client.wantsEvents else { return }
    let isForbidden = isForbidden(client)
    if isForbidden, let listener, listener !== client, !self.isForbidden(listener) { return }
    (listener, isSilenced) = (client, isForbidden)
    guard !isForbidden else {
      hasLostMonitors = true
      return monitoring.deliver(to: nil)
    }
    monitoring.deliver { [rules, key, session = client.session] event in
      // An exact event is reduced to the application's current accuracy.
      let isFull = rules.access(of: key, claim: session.claim).accuracy == .full
      session.send(.event(isFull ? event : event.reduced))
    }
    // Without a receiver of events, monitoring closes the monitors: they are opened again.
    guard hasLostMonitors else { return }
    hasLostMonitors = false
    for name in Set(clients.values.flatMap(\.monitors)) {
      monitoring.perform(.openMonitor(name: name))
    }
  }

  /// Delivers the events to the newest other client that requests them, after a client has ended or
  /// requests them no more. Without one they remain pending.
  func endDelivery(to client: MonitoringClient) {
    guard listener === client else { return }
    listener = nil
    let others = clients.values.filter(\.wantsEvents)
    if let other = others.max(by: { $0.session.number < $1.session.number }) {
      deliverEvents(to: other)
    } else {
      hasLostMonitors = true
      monitoring.deliver(to: nil)
    }
  }

  // MARK: Access

  /// Stops or resumes the delivery of events after a change of access.
  func accessChanged() {
    if let listener, isSilenced != isForbidden(listener) { deliverEvents(to: listener) }
  }

  /// The application's access now.
  var access: GrantedAccess { rules.access(of: key, claim: claim) }

  /// The access of one client: another one may have another claim.
  private func access(of client: MonitoringClient) -> GrantedAccess {
    rules.access(of: key, claim: client.session.claim)
  }

  /// Whether a client receives no events. While its authorization is undecided, it receives them.
  private func isForbidden(_ client: MonitoringClient) -> Bool {
    switch access(of: client).authorization {
    case .denied, .restricted: true
    case .notDetermined, .whenInUse, .always: false
    }
  }

  // MARK: Sensors

  /// Processes a fix, or its cell at reduced accuracy.
  func process(_ fix: PlaceFix, cell: PlaceFix?, at now: UTCTime) {
    let access = access
    guard access.authorization.isGranted else { return }
    if access.accuracy == .full {
      monitoring.process(fix, at: now)
    } else if let cell {
      monitoring.process(cell, at: now)
    }
  }

  /// Processes a scanner's report of a beacon.
  func process(_ report: BeaconReport, at now: UTCTime) {
    if mayWatchBeacons { monitoring.process(report, at: now) }
  }

  /// The fixes that it needs. Without access it causes no demand.
  var demand: FixDemand { access.authorization.isGranted ? monitoring.demand : .none }

  /// The beacons to watch for it.
  var beaconPatterns: Set<BeaconPattern> { mayWatchBeacons ? monitoring.beaconPatterns : [] }

  /// Whether it may receive beacons. A beacon reveals a place more exactly than a cell does.
  private var mayWatchBeacons: Bool {
    let access = access
    return access.authorization.isGranted && access.accuracy == .full
  }
}

/// A client of monitoring; its application may have no monitoring. Used only on the keeper's queue.
final class MonitoringClient {
  let session: HostSession
  let key: ApplicationKey
  /// Whether it requests events.
  var wantsEvents = false
  /// The monitors that it has opened, in process also without monitoring of the application:
  /// nothing is stored for a monitor without conditions.
  var monitors: Set<String> = []

  init(_ session: HostSession, _ key: ApplicationKey) { (self.session, self.key) = (session, key) }
}

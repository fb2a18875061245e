import HostProtocol
import Monitoring

/// The applications whose monitoring is open, their limits, and the connected clients. Used only on
/// the keeper's queue.
final class MonitoredApplications {
  private let journals: any MonitoringJournals
  private let launches: ApplicationLaunches
  private let access: any AccessRules
  private let configuration: HostConfiguration
  private let log: HostLog
  private let time: HostTime
  private var rules: MonitoringConfiguration
  private var opened: [ApplicationKey: MonitoredApplication] = [:]
  /// Applications whose journal could not be opened.
  private var failed: Set<ApplicationKey> = []
  /// The connected clients by session, also of applications without monitoring.
  private var clients: [Int: MonitoringClient] = [:]

  init(
    _ parts: LocationHost.Parts, _ configuration: HostConfiguration,
    _ launches: ApplicationLaunches, _ time: HostTime
  ) {
    (journals, access, log) = (parts.journals, parts.access, parts.log)
    (self.configuration, self.launches, self.time) = (configuration, launches, time)
    rules = MonitoringConfiguration(access.policy)
  }

  /// The application's monitoring; nil if it is not open.
  subscript(key: ApplicationKey) -> MonitoredApplication? { opened[key] }

  /// All whose monitoring is open.
  var all: [MonitoredApplication] { Array(opened.values) }

  /// Whether the application's journal could not be opened.
  func hasFailed(_ key: ApplicationKey) -> Bool { failed.contains(key) }

  /// Opens an application's monitoring if it is not open. Where no client has asked for monitoring,
  /// it is no error that another copy of the program has it.
  @discardableResult
  func open(
    _ key: ApplicationKey, isAsked: Bool = true
  ) -> Result<MonitoredApplication, HostFault> {
    if let application = opened[key] { return .success(application) }
    do throws(HostFault) {
      let claim = launches.claim(of: key)
      let monitoring = try journals.monitoring(
        of: key, configuration: rules, clock: { [time] in time.nowOfLastReading })
      let application = MonitoredApplication(
        key, monitoring, journal: journals.journal(of: key), claim: claim, access: access)
      opened[key] = application
      failed.remove(key)
      // All connected clients are added, in order of connection: the newest one receives the events.
      for (_, client) in clients.sorted(by: { $0.key < $1.key }) where client.key == key {
        add(client)
      }
      return .success(application)
    } catch {
      let isNew = failed.insert(key).inserted
      if isNew, isAsked || error.code != .inUse { log.error("\(error)") }
      return .failure(error)
    }
  }

  /// Opens the applications with a stored journal.
  func openStored() {
    for key in journals.applications() {
      open(key)
      if let application = opened[key] { removeIfUnused(application) }
    }
  }

  /// Opens an application that has a stored journal.
  func openStored(_ key: ApplicationKey) {
    if journals.applications().contains(key) { open(key, isAsked: false) }
  }

  /// Opens those whose journal could not be opened and may be readable now.
  func openFailed() {
    let connected = Set(clients.values.map(\.key))
    let stored = failed.isEmpty ? [] : Set(journals.applications())
    failed = failed.filter { connected.contains($0) || stored.contains($0) }
    for key in failed { open(key) }
  }

  /// Removes the journal of an application without registrations, pending events and clients.
  func removeIfUnused(_ application: MonitoredApplication) {
    guard application.isUnused else { return }
    application.close()
    opened[application.key] = nil
    journals.remove(application.key)
    launches.remove(application.key)
  }

  /// Removes all applications without closing them.
  func removeAll() -> [MonitoredApplication] {
    defer { opened = [:] }
    return all
  }

  /// Applies the rules of a new policy.
  func policyChanged() {
    rules = MonitoringConfiguration(access.policy)
    for application in opened.values { application.monitoring.use(rules) }
  }

  // MARK: Clients

  func client(_ session: HostSession) -> MonitoringClient? { clients[session.number] }

  /// Adds a client. Nothing is stored for an application that does not use monitoring.
  func add(_ client: MonitoringClient) {
    clients[client.session.number] = client
    guard let application = opened[client.key] else { return }
    launches.clientCame(client, isStored: application.add(client))
  }

  /// Removes the client of a session.
  func remove(_ session: HostSession) {
    guard let client = clients.removeValue(forKey: session.number) else { return }
    opened[client.key]?.remove(client)
  }

  // MARK: Limits

  /// The error of a new application if its user has reached the limit; nil otherwise.
  func quotaFault(_ key: ApplicationKey) -> HostFault? {
    let count = failed.union(opened.keys).filter { $0.uid == key.uid }.count
    guard count >= configuration.mostApplications else { return nil }
    return HostFault(
      .tooMany,
      "the limit of \(count) monitored applications is reached for user \(key.uid): stop the "
        + "monitoring of one, or raise most-applications"
    )
  }

  /// The error of a command that exceeds the budget of its application or user; nil if it does not.
  func excess(of command: MonitoringCommand, _ key: ApplicationKey) -> HostFault? {
    let excess =
      if let application = opened[key] { application.monitoring.excess(of: command) } else {
        ApplicationMonitor(configuration: rules).excess(of: command)
      }
    if let excess {
      return HostFault(excess.isLasting ? .tooLong : .tooMany, "\(key.id): refused: \(excess)")
    }
    guard command.needsAccess else { return nil }
    let stored = opened.values.reduce(0) { sum, application in
      application.key.uid == key.uid ? sum + application.monitoring.storedBytes : sum
    }
    guard stored > configuration.mostStoredBytes else { return nil }
    return HostFault(
      .tooMany,
      "\(key.id): refused: the applications of user \(key.uid) store \(stored) bytes; the limit is "
        + "\(configuration.mostStoredBytes): stop the monitoring of one, or raise most-stored-kib")
  }
}

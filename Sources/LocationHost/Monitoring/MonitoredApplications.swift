import HostProtocol
import Monitoring

/// The applications whose monitoring is open, and their limits. Used only on the keeper's queue.
final class MonitoredApplications {
  private let journals: any MonitoringJournals
  private let access: any AccessRules
  private let configuration: HostConfiguration
  private let log: HostLog
  private let time: HostTime
  private var rules: MonitoringConfiguration
  private var opened: [ApplicationKey: MonitoredApplication] = [:]
  /// Applications whose journal could not be opened.
  private var failed: Set<ApplicationKey> = []

  init(
    journals: any MonitoringJournals, access: any AccessRules, configuration: HostConfiguration,
    log: HostLog, time: HostTime
  ) {
    (self.journals, self.access, self.configuration) = (journals, access, configuration)
    (self.log, self.time) = (log, time)
    rules = MonitoringConfiguration(access.policy)
  }

  /// The application's monitoring; nil if it is not open.
  subscript(key: ApplicationKey) -> MonitoredApplication? { opened[key] }

  /// All whose monitoring is open.
  var all: [MonitoredApplication] { Array(opened.values) }

  /// Opens an application's monitoring, with a claim until a client connects. Where no client has
  /// asked for monitoring, it is no error that another copy of the program has it.
  func open(
    _ key: ApplicationKey, claim: Claim, isAsked: Bool
  ) -> Result<MonitoredApplication, HostFault> {
    do throws(HostFault) {
      let monitoring = try journals.monitoring(
        of: key, configuration: rules, clock: { [time] in time.nowOfLastReading })
      let application = MonitoredApplication(
        key, monitoring, journal: journals.journal(of: key), claim: claim, access: access)
      opened[key] = application
      failed.remove(key)
      return .success(application)
    } catch {
      let isNew = failed.insert(key).inserted
      if isNew, isAsked || error.code != .inUse { log.error("\(error)") }
      return .failure(error)
    }
  }

  /// Whether the application's journal could not be opened.
  func hasFailed(_ key: ApplicationKey) -> Bool { failed.contains(key) }

  /// The applications whose journal could not be opened and may be readable now: of connected
  /// clients, or stored.
  func retryable(connected: Set<ApplicationKey>) -> Set<ApplicationKey> {
    let stored = failed.isEmpty ? [] : Set(journals.applications())
    failed = failed.filter { connected.contains($0) || stored.contains($0) }
    return failed
  }

  /// Closes the monitoring of an application and removes its journal.
  func remove(_ application: MonitoredApplication) {
    application.close()
    opened[application.key] = nil
    journals.remove(application.key)
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

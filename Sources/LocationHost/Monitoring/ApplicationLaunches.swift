import LinuxIO
import Monitoring
import Quantities

/// Starts the applications that have a pending event and no client, by their stored records. Used
/// only on the keeper's queue.
final class ApplicationLaunches {
  private let access: any AccessRules
  private let configuration: HostConfiguration
  private let log: HostLog
  private let health: StateHealth
  /// nil if the host starts no applications.
  private let launcher: Launcher?
  private var records: [ApplicationKey: ApplicationRecord] = [:]
  /// Applications whose record could not be stored.
  private var unstored: Set<ApplicationKey> = []
  private var plans: [ApplicationKey: LaunchPlan] = [:]
  /// The applications of which a client has connected since the host's start.
  private var known: Set<ApplicationKey> = []
  private var start: Timestamp?
  private var isEnding = false

  init(_ parts: LocationHost.Parts, _ configuration: HostConfiguration) {
    (access, log, health) = (parts.access, parts.log, parts.health)
    self.configuration = configuration
    launcher =
      configuration.isInProcess ? nil : Launcher(program: configuration.launcher, log: log)
  }

  /// Begins the time in which clients of the previous daemon connect again.
  func begin() { start = MonotonicClock.now }

  /// Starts no application from now on.
  func end() { isEnding = true }

  // MARK: Records

  /// Reads an application's record, and returns the claim of its last client.
  func claim(of key: ApplicationKey) -> Claim {
    records[key] = folder(of: key).flatMap(ApplicationRecord.read(from:))
    return records[key]?.claim ?? Claim()
  }

  /// Resets the plan of an application whose client has connected. The client's record is stored if
  /// its claim is the application's.
  func clientCame(_ client: MonitoringClient, isStored: Bool) {
    let (key, session) = (client.key, client.session)
    known.insert(key)
    plans[key]?.clientCame()
    let record = ApplicationRecord(
      manager: .of(session.peer), groups: session.claim.groups.sorted(), unit: session.claim.unit)
    guard isStored, record != records[key], let folder = folder(of: key) else { return }
    records[key] = record
    do {
      try record.write(to: folder)
      unstored.remove(key)
    } catch {
      unstored.insert(key)
      health.report(.error, "\(folder): the application's record cannot be stored: \(error)")
    }
  }

  /// Stores the records that could not be stored, once the state can be.
  func storeAgain() {
    guard !unstored.isEmpty, health.fault == nil else { return }
    for key in unstored {
      guard let record = records[key], let folder = folder(of: key) else { continue }
      // A fault is reported by the next client's record.
      do { try record.write(to: folder) } catch { continue }
    }
    unstored = []
  }

  /// Removes an application and its record.
  func remove(_ key: ApplicationKey) {
    known.remove(key)
    (plans[key], records[key]) = (nil, nil)
    guard let folder = folder(of: key) else { return }
    do throws(FileFault) {
      try LinuxFiles().removeFolder(folder)
    } catch {
      log.warning("\(folder): the folder cannot be removed: \(error.reason)")
    }
  }

  /// The folder of an application's record; nil if the host starts no applications.
  private func folder(of key: ApplicationKey) -> String? {
    guard launcher != nil, let folder = configuration.stateFolder else { return nil }
    return "\(folder)/applications/\(key.uid)/\(key.id)"
  }

  // MARK: Starts

  /// Starts an application if it needs to run and its next start is due.
  func launchIfDue(_ application: MonitoredApplication) {
    let key = application.key
    guard !isEnding, let launcher, !application.hasClients,
      // A client of the previous daemon needs some seconds to connect again.
      known.contains(key) || isGraceOver,
      application.monitoring.pending.contains(where: { $0.kind.startsApplications }),
      application.access.authorization == .always,
      let unit = access.policy.unit(for: key.id),
      plans[key, default: LaunchPlan(interval: configuration.launchInterval)]
        .isDue(at: MonotonicClock.now.seconds)
    else { return }
    let manager = records[key]?.manager ?? (key.uid == 0 ? .system : .user)
    // Another user's program may have the same name as the application of a unit of the system.
    guard
      manager == .user
        || access.policy.startsSystemUnit(user: key.uid, unit: application.claim.unit, of: key.id)
    else {
      log.warning(
        "\(key.id): an event is pending, but \(unit) is not started for uid \(key.uid), who is not bound to the name: "
          + "add 'users: [NAME]' to its entry in the policy, or let the unit register")
      return
    }
    launcher.launch(LaunchRequest(unit: unit, application: key, manager: manager))
  }

  /// Whether clients of the previous daemon had time to connect again.
  private var isGraceOver: Bool {
    start.map { MonotonicClock.now.seconds(since: $0) >= configuration.launchGrace } ?? true
  }
}

extension MonitoringEvent.Kind {
  /// Whether the event starts an application. Replies to commands do not: the application was
  /// running.
  fileprivate var startsApplications: Bool {
    switch self {
    case .entered, .exited, .visit, .significantChange, .condition: true
    case .regionStarted, .regionFailed, .regionState: false
    }
  }
}

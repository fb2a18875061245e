import Configuration
import HostProtocol
import LinuxIO
import Synchronization

/// The policy and the stored decisions. Safe from any thread; it reads and writes small files.
package final class AccessKeeper: AccessRules {
  private let decisionsFolder: String?
  /// Reads the policy.
  private let load: @Sendable () -> (policy: Policy, error: PolicyError?)
  private let log: HostLog
  private let health: StateHealth
  private let state = Mutex(State())

  private struct State {
    /// Decisions that are not stored: no folder is set, or the disk reported an error.
    var volatileDecisions: [DecisionKey: AccessDecision] = [:]
    var policy = Policy.restricted
    /// The reason why the policy's files cannot be used.
    var fault: String?
    var revision = 0
    /// The users of ports, and whether the policy admits them: a look-up may ask a directory
    /// server.
    var portUsers: [UInt32: Bool] = [:]
    var hasReportedGroup = false
    /// The applications for which a claim by an unbound client is already logged.
    var reportedClaims: Set<ApplicationKey> = []
    /// A cache: access is checked for each fix, and without it each check reads files.
    var entries: [CacheKey: CacheEntry] = [:]
    var uses: UInt64 = 0
    /// The largest size of the cache; the least recently used entry is removed first.
    private static let cacheLimit = 512

    mutating func cachedAccess(_ key: CacheKey) -> GrantedAccess? {
      uses += 1
      entries[key]?.lastUse = uses
      return entries[key]?.access
    }

    mutating func insert(_ access: GrantedAccess, _ key: CacheKey) {
      if entries.count >= Self.cacheLimit,
        let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        entries[oldest.key] = nil
      }
      uses += 1
      entries[key] = CacheEntry(access: access, lastUse: uses)
    }
  }

  private struct CacheEntry {
    var access: GrantedAccess
    var lastUse: UInt64
  }

  private struct CacheKey: Hashable {
    var key: ApplicationKey
    var claim: Claim
  }

  /// Decisions on clients that are not bound to the application's name are separate from its own.
  private struct DecisionKey: Hashable {
    var key: ApplicationKey
    var isBound: Bool
  }

  /// Reads the policy of the machine.
  package convenience init(
    stateFolder: String?, policyFolder: String?, environment: [String: String], log: HostLog,
    health: StateHealth? = nil
  ) {
    let folder = policyFolder ?? Policy.standardFolder
    self.init(stateFolder: stateFolder, log: log, health: health) {
      Policy.loadSafely(environment: environment, folder: folder)
    }
  }

  /// Uses the policy that `load` reads.
  package init(
    stateFolder: String?, log: HostLog, health: StateHealth? = nil,
    load: @escaping @Sendable () -> (policy: Policy, error: PolicyError?)
  ) {
    decisionsFolder = stateFolder.map { $0 + "/decisions" }
    self.log = log
    self.health = health ?? StateHealth(log: log)
    self.load = load
    reload()
  }

  package var policy: Policy { state.withLock { $0.policy } }
  package var revision: Int { state.withLock { $0.revision } }

  /// Reads the policy's files again.
  package func reload() {
    let (policy, error) = load()
    state.withLock { state in
      (state.policy, state.hasReportedGroup, state.entries) = (policy, false, [:])
      state.reportedClaims = []
      state.revision += 1
      state.portUsers = [:]
      state.fault = error.map { "the policy cannot be used: \($0)" }
    }
    if let error { log.error("\(error)") }
    for text in policy.unknownUsers() { log.warning(text) }
  }

  /// The access of a client that claims an application's name.
  package func access(of key: ApplicationKey, claim: Claim) -> GrantedAccess {
    let cacheKey = CacheKey(key: key, claim: claim)
    if let known = state.withLock({ $0.cachedAccess(cacheKey) }) { return known }
    let (policy, revision) = state.withLock { ($0.policy, $0.revision) }
    let isAdmitted = admits(key.uid, claim.groups, policy)
    let isBound = isBound(key, claim, policy)
    let found = decision(of: DecisionKey(key: key, isBound: isBound))
    let granted = GrantedAccess(
      policy, key.id, hasAccess: isAdmitted, decision: found.decision, isBound: isBound)
    let claimFault = isBound || !policy.isEnabled ? nil : policy.bindingFault(of: key.id)
    let (access, isNew) = state.withLock { state in
      var access = granted
      access.fault = state.fault ?? (isAdmitted ? claimFault : Self.outsideGroup(policy))
      // The policy may have been read again meanwhile.
      guard revision == state.revision, found.isRead else { return (access, false) }
      state.insert(access, cacheKey)
      return (access, claimFault != nil && state.reportedClaims.insert(key).inserted)
    }
    if isNew, let claimFault { log.warning("a client of user \(key.uid): \(claimFault)") }
    return access
  }

  /// Stores the decision on a client's request, if the policy requires one.
  package func request(_ wanted: GrantedAuthorization, of key: ApplicationKey, claim: Claim) {
    let policy = self.policy
    let isBound = isBound(key, claim, policy)
    let decided = DecisionKey(key: key, isBound: isBound)
    let decision = decision(of: decided).decision
    let hasAccess = admits(key.uid, claim.groups, policy)
    let now = policy.authorization(
      for: key.id, hasAccess: hasAccess, decision: decision, isBound: isBound)
    let request = wanted == .always ? AuthorizationRequest.always : .whenInUse
    guard
      let new = policy.afterRequest(
        request, for: key.id, current: now, decision: decision, isBound: isBound)
    else { return }
    record(new, of: decided)
    state.withLock { state in
      state.entries = state.entries.filter { $0.key.key != key }
      // Results that another thread has read before the decision are not cached.
      state.revision += 1
    }
  }

  /// The message for a user who is not a member of the policy's group.
  private static func outsideGroup(_ policy: Policy) -> String? {
    policy.group.map { group in
      "the user is not in the group '\(group)', which location services require on this machine: "
        + "run sudo usermod -aG \(group) $USER, then log in again"
    }
  }

  /// Why the user of a connection to one of the servers receives nothing. The policy's `group` is
  /// about the users of this machine; which other machines reach a port is decided by its address.
  package func refusal(of user: ConnectionUser) -> String? {
    let policy = self.policy
    guard policy.group != nil else { return nil }
    switch user {
    case .otherMachine: return nil
    case .unknown:
      return
        "the user of this connection is not found, and only the group '\(policy.group ?? "")' of the "
        + "policy is served; connect again, from a program that keeps the connection open"
    case .user(let uid, let groups):
      return isPortUser(uid, groups, policy)
        ? nil : Self.outsideGroup(policy).map { "user \(uid): \($0)" }
    }
  }

  /// The most users of ports that are remembered.
  private static let mostPortUsers = 256

  private func isPortUser(_ uid: UInt32, _ groups: Set<UInt32>, _ policy: Policy) -> Bool {
    let (known, revision) = state.withLock { ($0.portUsers[uid], $0.revision) }
    if groups.isEmpty, let known { return known }
    // If the kernel reports no groups, the user database is read; `.max` is not a valid group.
    let isAdmitted = admits(uid, groups.isEmpty ? [.max] : groups, policy)
    state.withLock { state in
      guard groups.isEmpty, revision == state.revision,
        state.portUsers.count < Self.mostPortUsers
      else { return }
      state.portUsers[uid] = isAdmitted
    }
    return isAdmitted
  }

  /// Whether full accuracy is granted to a client for a purpose.
  package func grants(_ purpose: String, to key: ApplicationKey, claim: Claim) -> Bool {
    let policy = self.policy
    let isBound = isBound(key, claim, policy)
    return policy.purposeIsGranted(purpose, for: key.id, isBound: isBound)
  }

  /// The reason why a client may not calibrate the board; nil where it may.
  package func calibrationFault(of key: ApplicationKey, claim: Claim) -> String? {
    let policy = self.policy
    let isBound = isBound(key, claim, policy)
    return policy.calibrationFault(for: key.id, isBound: isBound)
  }

  /// Whether a client is bound to the application's name that it claims.
  private func isBound(_ key: ApplicationKey, _ claim: Claim, _ policy: Policy) -> Bool {
    policy.isBound(user: key.uid, unit: claim.unit, to: key.id)
  }

  private func decisions(of key: DecisionKey) -> AccessDecisions? {
    decisionsFolder.map {
      AccessDecisions(folder: "\($0)/\(key.key.uid)" + (key.isBound ? "" : "/unbound"))
    }
  }

  private func record(_ decision: AccessDecision, of key: DecisionKey) {
    guard let decisions = decisions(of: key) else {
      return state.withLock { $0.volatileDecisions[key] = decision }
    }
    do {
      try decisions.record(decision, for: key.key.id)
      state.withLock { $0.volatileDecisions[key] = nil }
    } catch {
      // The decision lasts until the process ends.
      state.withLock { $0.volatileDecisions[key] = decision }
      health.report(.error, "\(error)")
    }
  }

  /// Stores the decisions that could not be stored.
  package func storeAgain() {
    guard decisionsFolder != nil else { return }
    for (key, decision) in state.withLock({ $0.volatileDecisions }) { record(decision, of: key) }
  }

  /// The decision, and whether it was read: one that cannot be read may be readable later.
  private func decision(of key: DecisionKey) -> (decision: AccessDecision?, isRead: Bool) {
    if let decision = state.withLock({ $0.volatileDecisions[key] }) { return (decision, true) }
    do {
      return (try decisions(of: key)?.decision(for: key.key.id), true)
    } catch {
      health.report(.warning, "\(error)")
      // Perhaps a person has denied it: the file stays as it is, and a request has no effect.
      return (AccessDecision(authorization: .denied, hasAskedForAlways: true), false)
    }
  }

  private func admits(_ uid: UInt32, _ groups: Set<UInt32>, _ policy: Policy) -> Bool {
    do {
      var user = AccessUser(id: uid, groups: groups)
      // The user database may list more groups. The lookup needs a group of the user.
      if let first = groups.min() {
        user.groups.formUnion(AccessUser(peer: uid, groupID: first).groups)
      }
      return try policy.admits(user)
    } catch {
      let isNew = state.withLock { state in
        defer { state.hasReportedGroup = true }
        return !state.hasReportedGroup
      }
      if isNew { log.error("\(error)") }
      return uid == 0
    }
  }
}

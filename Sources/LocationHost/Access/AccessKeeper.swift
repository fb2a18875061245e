import Configuration
import Foundation
import HostProtocol

/// The policy and what was decided under it. Safe from any thread; it reads and writes small files.
package final class AccessKeeper: AccessRules, @unchecked Sendable {
  // Unchecked: what changes is read and written under the lock.
  private let lock = NSLock()
  private let decisionsFolder: String?
  /// Reads the policy.
  private let load: @Sendable () -> (policy: Policy, error: PolicyError?)
  /// Decisions while there is no folder for them.
  private var volatileDecisions: [ApplicationKey: AccessDecision] = [:]
  private let log: HostLog
  private var current = Policy.restricted
  /// Why the policy's files cannot be used.
  private var fault: String?
  private var reloads = 0
  private var isGroupComplained = false
  /// What was answered: a fix comes many times a second, and each would read files.
  private var answers: [Question: Answer] = [:]
  private var uses: UInt64 = 0
  /// Answers that are remembered; the one that was asked for longest ago goes first.
  private static let mostAnswers = 512

  private struct Answer {
    var access: GrantedAccess
    var lastUse: UInt64
  }

  private struct Question: Hashable {
    var key: ApplicationKey
    var groups: Set<UInt32>
  }

  /// Reads the policy of the machine.
  package convenience init(
    stateFolder: String?, policyFolder: String?, environment: [String: String], log: HostLog
  ) {
    let folder = policyFolder ?? Policy.standardFolder
    self.init(stateFolder: stateFolder, log: log) {
      Policy.loadSafely(environment: environment, folder: folder)
    }
  }

  /// Makes the rules of a policy that `load` reads.
  package init(
    stateFolder: String?, log: HostLog,
    load: @escaping @Sendable () -> (policy: Policy, error: PolicyError?)
  ) {
    decisionsFolder = stateFolder.map { $0 + "/decisions" }
    self.log = log
    self.load = load
    reload()
  }

  package var policy: Policy { lock.withLock { current } }

  /// Reads the files again.
  package func reload() {
    let (policy, error) = load()
    lock.withLock {
      (current, isGroupComplained, answers) = (policy, false, [:])
      reloads += 1
      fault = error.map { "the policy cannot be used: \($0)" }
    }
    if let error { log.error("\(error)") }
  }

  /// What an application may.
  package func access(of key: ApplicationKey, groups: Set<UInt32>) -> GrantedAccess {
    let question = Question(key: key, groups: groups)
    if let known = lock.withLock({ remembered(question) }) { return known }
    let (policy, generation) = lock.withLock { (current, reloads) }
    let isAdmitted = admits(key.uid, groups, policy)
    var access = GrantedAccess(
      policy, key.id, hasAccess: isAdmitted, decision: decision(of: key))
    return lock.withLock {
      access.fault = fault ?? (isAdmitted ? nil : Self.outsideGroup(policy))
      // Files that were read meanwhile may say something else.
      if generation == reloads { remember(access, question) }
      return access
    }
  }

  private func remembered(_ question: Question) -> GrantedAccess? {
    uses += 1
    answers[question]?.lastUse = uses
    return answers[question]?.access
  }

  private func remember(_ access: GrantedAccess, _ question: Question) {
    if answers.count >= Self.mostAnswers,
      let oldest = answers.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      answers[oldest.key] = nil
    }
    uses += 1
    answers[question] = Answer(access: access, lastUse: uses)
  }

  /// Records what a request comes to.
  /// - Returns: What the application may from now on.
  package func request(
    _ wanted: GrantedAuthorization, of key: ApplicationKey, groups: Set<UInt32>
  ) -> GrantedAccess {
    let policy = self.policy
    let decision = decision(of: key)
    let hasAccess = admits(key.uid, groups, policy)
    let now = policy.authorization(for: key.id, hasAccess: hasAccess, decision: decision)
    let request = wanted == .always ? AuthorizationRequest.always : .whenInUse
    guard
      let new = policy.afterRequest(request, for: key.id, current: now, decision: decision)
    else { return access(of: key, groups: groups) }
    record(new, of: key)
    lock.withLock { answers = answers.filter { $0.key.key != key } }
    return access(of: key, groups: groups)
  }

  /// What a user outside the policy's group reads.
  private static func outsideGroup(_ policy: Policy) -> String? {
    policy.group.map { group in
      "location services are for members of the group '\(group)' on this machine: "
        + "sudo usermod -aG \(group) $USER, then log in again"
    }
  }

  /// Whether full accuracy is granted for a purpose.
  package func grants(_ purpose: String, to key: ApplicationKey) -> Bool {
    policy.purposeIsGranted(purpose, for: key.id)
  }

  private func decisions(of uid: UInt32) -> AccessDecisions? {
    decisionsFolder.map { AccessDecisions(folder: "\($0)/\(uid)") }
  }

  private func record(_ decision: AccessDecision, of key: ApplicationKey) {
    guard let decisions = decisions(of: key.uid) else {
      return lock.withLock { volatileDecisions[key] = decision }
    }
    do {
      try decisions.record(decision, for: key.id)
      lock.withLock { volatileDecisions[key] = nil }
    } catch {
      // The answer holds for this run; the next one asks again.
      lock.withLock { volatileDecisions[key] = decision }
      log.error("\(error)")
    }
  }

  private func decision(of key: ApplicationKey) -> AccessDecision? {
    if let decision = lock.withLock({ volatileDecisions[key] }) { return decision }
    do {
      return try decisions(of: key.uid)?.decision(for: key.id)
    } catch {
      // An unreadable decision is none: the application is asked again.
      log.warning("\(error)")
      return nil
    }
  }

  private func admits(_ uid: UInt32, _ groups: Set<UInt32>, _ policy: Policy) -> Bool {
    do {
      var user = AccessUser(id: uid, groups: groups)
      // What the machine's files give besides; without any group nobody is known of whom to ask it.
      if let first = groups.min() {
        user.groups.formUnion(AccessUser(peer: uid, groupID: first).groups)
      }
      return try policy.admits(user)
    } catch {
      let isNew = lock.withLock {
        defer { isGroupComplained = true }
        return !isGroupComplained
      }
      if isNew { log.error("\(error)") }
      return uid == 0
    }
  }
}

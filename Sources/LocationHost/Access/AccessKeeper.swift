import Configuration
import Foundation
import HostProtocol
import Synchronization

/// The policy and what was decided under it. Safe from any thread; it reads and writes small files.
package final class AccessKeeper: AccessRules {
  private let decisionsFolder: String?
  /// Reads the policy.
  private let load: @Sendable () -> (policy: Policy, error: PolicyError?)
  private let log: HostLog
  private let state = Mutex(State())

  private struct State {
    /// Decisions while there is no folder for them.
    var volatileDecisions: [ApplicationKey: AccessDecision] = [:]
    var policy = Policy.restricted
    /// Why the policy's files cannot be used.
    var fault: String?
    var reloads = 0
    var hasReportedGroup = false
    /// What was answered: a fix comes many times a second, and each would read files.
    var answers: [Question: Answer] = [:]
    var uses: UInt64 = 0
    /// Answers that are remembered; the one that was asked for longest ago goes first.
    private static let mostAnswers = 512

    mutating func remembered(_ question: Question) -> GrantedAccess? {
      uses += 1
      answers[question]?.lastUse = uses
      return answers[question]?.access
    }

    mutating func remember(_ access: GrantedAccess, _ question: Question) {
      if answers.count >= Self.mostAnswers,
        let oldest = answers.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        answers[oldest.key] = nil
      }
      uses += 1
      answers[question] = Answer(access: access, lastUse: uses)
    }
  }

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

  package var policy: Policy { state.withLock { $0.policy } }

  /// Reads the files again.
  package func reload() {
    let (policy, error) = load()
    state.withLock { state in
      (state.policy, state.hasReportedGroup, state.answers) = (policy, false, [:])
      state.reloads += 1
      state.fault = error.map { "the policy cannot be used: \($0)" }
    }
    if let error { log.error("\(error)") }
  }

  /// What an application may.
  package func access(of key: ApplicationKey, groups: Set<UInt32>) -> GrantedAccess {
    let question = Question(key: key, groups: groups)
    if let known = state.withLock({ $0.remembered(question) }) { return known }
    let (policy, generation) = state.withLock { ($0.policy, $0.reloads) }
    let isAdmitted = admits(key.uid, groups, policy)
    let granted = GrantedAccess(
      policy, key.id, hasAccess: isAdmitted, decision: decision(of: key))
    return state.withLock { state in
      var access = granted
      access.fault = state.fault ?? (isAdmitted ? nil : Self.outsideGroup(policy))
      // Files that were read meanwhile may say something else.
      if generation == state.reloads { state.remember(access, question) }
      return access
    }
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
    state.withLock { state in state.answers = state.answers.filter { $0.key.key != key } }
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
      return state.withLock { $0.volatileDecisions[key] = decision }
    }
    do {
      try decisions.record(decision, for: key.id)
      state.withLock { $0.volatileDecisions[key] = nil }
    } catch {
      // The answer holds for this run; the next one asks again.
      state.withLock { $0.volatileDecisions[key] = decision }
      log.error("\(error)")
    }
  }

  private func decision(of key: ApplicationKey) -> AccessDecision? {
    if let decision = state.withLock({ $0.volatileDecisions[key] }) { return decision }
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
      let isNew = state.withLock { state in
        defer { state.hasReportedGroup = true }
        return !state.hasReportedGroup
      }
      if isNew { log.error("\(error)") }
      return uid == 0
    }
  }
}

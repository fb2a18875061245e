import Foundation
import Policy
import ServiceProtocol

/// The policy and what was decided under it. Safe from any thread; it reads and writes small files.
final class AccessKeeper: @unchecked Sendable {
  private let lock = NSLock()
  private let decisionsFolder: String
  private let policyFolder: String
  private let environment: [String: String]
  private let log: ServiceLog
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
    var access: ServedAccess
    var lastUse: UInt64
  }

  private struct Question: Hashable {
    var key: ApplicationKey
    var groups: Set<UInt32>
  }

  init(
    stateFolder: String, policyFolder: String?, environment: [String: String], log: ServiceLog
  ) {
    decisionsFolder = stateFolder + "/decisions"
    self.policyFolder = policyFolder ?? Policy.standardFolder
    self.environment = environment
    self.log = log
    reload()
  }

  var policy: Policy { lock.withLock { current } }

  /// Reads the files again.
  func reload() {
    let (policy, error) = Policy.loadSafely(environment: environment, folder: policyFolder)
    lock.withLock {
      (current, isGroupComplained, answers) = (policy, false, [:])
      reloads += 1
      fault = error.map { "the daemon's policy cannot be used: \($0)" }
    }
    if let error { log.error("\(error)") }
  }

  /// What an application may.
  func access(of key: ApplicationKey, groups: Set<UInt32>) -> ServedAccess {
    let question = Question(key: key, groups: groups)
    if let known = lock.withLock({ remembered(question) }) { return known }
    let (policy, generation) = lock.withLock { (current, reloads) }
    var access = ServedAccess(
      policy, key.id, hasAccess: admits(key.uid, groups, policy), decision: decision(of: key))
    return lock.withLock {
      access.fault = fault
      // Files that were read meanwhile may say something else.
      if generation == reloads { remember(access, question) }
      return access
    }
  }

  private func remembered(_ question: Question) -> ServedAccess? {
    uses += 1
    answers[question]?.lastUse = uses
    return answers[question]?.access
  }

  private func remember(_ access: ServedAccess, _ question: Question) {
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
  func request(
    _ wanted: ServedAuthorization, of key: ApplicationKey, groups: Set<UInt32>
  ) -> ServedAccess {
    let policy = self.policy
    let decision = decision(of: key)
    let hasAccess = admits(key.uid, groups, policy)
    let now = policy.authorization(for: key.id, hasAccess: hasAccess, decision: decision)
    let request = wanted == .always ? AuthorizationRequest.always : .whenInUse
    guard
      let new = policy.afterRequest(request, for: key.id, current: now, decision: decision)
    else { return access(of: key, groups: groups) }
    do {
      try decisions(of: key.uid).record(new, for: key.id)
    } catch {
      log.error("\(error)")
    }
    lock.withLock { answers = answers.filter { $0.key.key != key } }
    return ServedAccess(policy, key.id, hasAccess: hasAccess, decision: new)
  }

  /// Whether full accuracy is granted for a purpose.
  func grants(_ purpose: String, to key: ApplicationKey) -> Bool {
    policy.purposeIsGranted(purpose, for: key.id)
  }

  private func decisions(of uid: UInt32) -> AccessDecisions {
    AccessDecisions(folder: "\(decisionsFolder)/\(uid)")
  }

  private func decision(of key: ApplicationKey) -> AccessDecision? {
    do {
      return try decisions(of: key.uid).decision(for: key.id)
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

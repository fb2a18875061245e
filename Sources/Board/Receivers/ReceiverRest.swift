import Quantities

/// Decides from the demand when a receiver is awake and when it may sleep. A value without a clock.
///
/// The receiver sleeps for the interval of the demand, is awake until a fix is good enough or a
/// time limit has passed, and sleeps again. Fixes during the sleep are withheld, also from a
/// receiver that cannot sleep.
package struct ReceiverRest: Sendable {
  /// Longest time awake without a good fix, s: twice a cold start; the sky is not visible then.
  package static let longestWaking = 60.0
  /// Accuracy (68 % radius) that ends the time awake, metres: applications that need fixes at
  /// intervals ask for hundreds of metres.
  package static let goodMetres = 50.0
  /// Shortest useful sleep, s: the start after a shorter one would take as long.
  package static let shortestSleep = 5.0

  /// The present demand.
  package private(set) var demand = ReceiverDemand.continuous
  /// True while fixes are withheld.
  package private(set) var isAsleep = false
  /// When `isAsleep` or the demand last changed; nil before the first instant.
  private var changed: Timestamp?
  private var hasGoodFix = false

  package init() {}

  /// Changes the demand from an instant on.
  package mutating func want(_ demand: ReceiverDemand, at now: Timestamp) {
    guard demand != self.demand else { return }
    self.demand = demand
    // Only a fix after the change satisfies the new demand.
    if !isAsleep { (changed, hasGoodFix) = (now, false) }
    advance(to: now)
  }

  /// Evaluates a fix.
  /// - Returns: False if the fix must be withheld.
  package mutating func admits(_ fix: Fix, at now: Timestamp) -> Bool {
    advance(to: now)
    guard !isAsleep else { return false }
    if Self.isGood(fix) { hasGoodFix = true }
    return true
  }

  /// Changes between asleep and awake if due.
  package mutating func advance(to now: Timestamp) {
    let since = changed ?? now
    changed = since
    let elapsed = now.seconds(since: since)
    switch demand {
    case .continuous: turn(asleep: false, at: now)
    case .none: turn(asleep: true, at: now)
    case .every(let seconds) where seconds < Self.shortestSleep: turn(asleep: false, at: now)
    case .every(let seconds):
      if isAsleep {
        if elapsed >= seconds { turn(asleep: false, at: now) }
      } else if hasGoodFix || elapsed >= Self.longestWaking {
        turn(asleep: true, at: now)
      }
    }
  }

  /// The remaining time of the sleep, s; nil while awake and for a sleep without an end.
  package func remaining(at now: Timestamp) -> Double? {
    guard isAsleep, case .every(let seconds) = demand, let changed else { return nil }
    return max(seconds - now.seconds(since: changed), 0)
  }

  private mutating func turn(asleep: Bool, at now: Timestamp) {
    guard asleep != isAsleep else { return }
    (isAsleep, changed, hasGoodFix) = (asleep, now, false)
  }

  private static func isGood(_ fix: Fix) -> Bool {
    guard fix.position != nil, fix.kind != .none, fix.kind != .deadReckoning else { return false }
    // A receiver that reports no accuracy will not report one later.
    return fix.horizontalAccuracyMetres.map { $0 <= goodMetres } ?? true
  }
}

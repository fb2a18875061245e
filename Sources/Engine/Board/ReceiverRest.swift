import Quantities

/// When a receiver is awake and when it may sleep, by what is wanted of it. A value without a clock.
///
/// Asleep for the interval that is wanted, awake until a fix is good enough or a limit has passed, asleep
/// again. Fixes of the sleep are withheld, whether or not the receiver itself sleeps: one that cannot is
/// heard less.
package struct ReceiverRest: Sendable {
  /// A receiver that has no good fix by now sees no sky, s: a cold start takes half of it.
  package static let longestWaking = 60.0
  /// The radius that is good enough to sleep on, 68 %, metres: what wants a fix now and then asks about
  /// hundreds of metres.
  package static let goodMetres = 50.0
  /// A shorter sleep is none, s: the start after it would take as long.
  package static let shortestSleep = 5.0

  /// What is wanted.
  package private(set) var demand = ReceiverDemand.continuous
  /// True while no fix is wanted.
  package private(set) var isAsleep = false
  /// When it fell asleep, or awoke; nil before the first instant.
  private var changed: Timestamp?
  private var hasGoodFix = false

  package init() {}

  /// Wants something else from an instant on.
  package mutating func want(_ demand: ReceiverDemand, at now: Timestamp) {
    guard demand != self.demand else { return }
    self.demand = demand
    // What was seen before this was asked for is not what is asked for.
    if !isAsleep { (changed, hasGoodFix) = (now, false) }
    advance(to: now)
  }

  /// Takes note of a fix, and tells whether it is to be handed on.
  package mutating func admits(_ fix: Fix, at now: Timestamp) -> Bool {
    advance(to: now)
    guard !isAsleep else { return false }
    if Self.isGood(fix) { hasGoodFix = true }
    return true
  }

  /// Falls asleep or awakes, where that is due.
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

  /// What is left of the sleep, s; nil while awake and where it has no end.
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
    // A receiver that does not say how good it is has said all that it will.
    return fix.horizontalAccuracyMetres.map { $0 <= goodMetres } ?? true
  }
}

import Board
import Dispatch
import HostProtocol
import Observers
import Quantities
import Synchronization

/// Distributes what the source measures: to each client at its accuracy, and each fix to monitoring
/// and the disk.
final class EstimateDistribution: Sendable {
  private let sessions: HostSessions
  private let source: any HostSource
  private let monitoring: MonitoringKeeper
  private let time: HostTime
  private let lastFix: LastFixFile?
  private let diskQueue: DispatchQueue
  /// The receiver's own fixes, for servers in this process.
  let receiverFixes = ObserverList<Fix>()
  private let state: Mutex<State>

  private struct State {
    var newestFix: Estimate?
    var newestStamp: Timestamp?
    var newestReceiverFix: Timestamp?
    var reducedAccuracy = ReducedAccuracy()
  }

  init(
    _ sessions: HostSessions, _ source: any HostSource, _ monitoring: MonitoringKeeper,
    time: HostTime, lastFix: LastFixFile?, on diskQueue: DispatchQueue
  ) {
    (self.sessions, self.source, self.monitoring) = (sessions, source, monitoring)
    (self.time, self.lastFix, self.diskQueue) = (time, lastFix, diskQueue)
    // A simulation must not deliver a real place.
    state = Mutex(State(newestFix: lastFix?.read()))
  }

  /// Distributes an estimate.
  func distribute(_ estimate: Estimate) {
    time.follow(estimate)
    let isFix = state.withLock { state in
      guard estimate.position != nil, let stamp = estimate.fixTimestamp, stamp != state.newestStamp
      else { return false }
      (state.newestStamp, state.newestFix) = (stamp, estimate)
      return true
    }
    let exact = SharedEstimate(estimate)
    let sessions = sessions.all
    // Fifty estimates a second, and most clients have full accuracy; monitoring needs each fix.
    let isReduced = isFix || sessions.contains { $0.hasReducedAccuracy }
    let reduced = isReduced ? SharedEstimate(reduce(estimate)) : nil
    let takesMagnetic = sessions.contains { $0.takesMagneticHeadingsOnly }
    let magnetic = takesMagnetic ? Self.magneticHeading(of: estimate) : nil
    for session in sessions {
      session.offer(exact, reduced: reduced, magnetic: magnetic, isFix: isFix)
    }
    guard isFix, let reduced else { return }
    // The playback of a recording waits for monitoring.
    monitoring.process(estimate, reduced: reduced.estimate, waits: time.isPlayed)
    guard let lastFix, !source.source.isSimulated else { return }
    var fix = estimate
    if fix.utc == nil { fix.utc = time.now }
    lastFix.store(fix, on: diskQueue)
  }

  /// Distributes the samples of one timestamp.
  func distribute(_ row: SensorSamples) {
    // A receiver that is frozen repeats its fix.
    if row.hasFix, let fix = row.fix, isNew(fix) { receiverFixes.notify(fix) }
    guard row.inertial != nil || row.field != nil || row.pressure != nil else { return }
    let samples = SensorSamples(
      timestamp: row.timestamp, inertial: row.inertial, field: row.field, pressure: row.pressure)
    let (whole, reduced) = (SharedSamples(samples), samples.reduced.map { SharedSamples($0) })
    for session in sessions.all { session.offer(whole, reduced: reduced) }
  }

  private func isNew(_ fix: Fix) -> Bool {
    state.withLock { state in
      defer { state.newestReceiverFix = fix.timestamp }
      return state.newestReceiverFix != fix.timestamp
    }
  }

  /// Distributes what the receiver sent beyond fixes.
  func distribute(_ output: ReceiverOutput) {
    let shared = SharedReceiverOutput(output)
    for session in sessions.all { session.offer(shared) }
  }

  /// Delivers the newest heading to a client; its fix has already been delivered.
  func deliverHeading(to session: HostSession) {
    guard let latest = source.latest else { return }
    session.offer(
      SharedEstimate(latest).withoutPlace, reduced: SharedEstimate(reduce(latest)),
      magnetic: Self.magneticHeading(of: latest), isFix: false)
  }

  /// nil without a heading.
  private static func magneticHeading(of estimate: Estimate) -> SharedEstimate? {
    estimate.magneticHeading == nil ? nil : SharedEstimate(estimate.magneticHeadingOnly)
  }

  /// The newest fix at an application's accuracy; nil if it is unknown or not allowed.
  func newestFix(by access: GrantedAccess) -> Estimate? {
    let now = time.now
    return state.withLock { state in
      guard access.authorization.isGranted, let fix = state.newestFix else { return nil }
      return access.accuracy == .full ? fix : state.reducedAccuracy.current(fix, now: now)
    }
  }

  private func reduce(_ estimate: Estimate) -> Estimate {
    let now = time.now
    return state.withLock { $0.reducedAccuracy.reduce(estimate, now: now) }
  }
}

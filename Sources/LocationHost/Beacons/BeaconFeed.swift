import Dispatch
import Monitoring
import Radio
import Synchronization

/// Reports the beacons of regions and conditions to monitoring. Bluetooth is used only while
/// beacons are watched.
public final class BeaconFeed: Sendable {
  private struct Watch {
    let observation: BeaconObservation
    /// The last report of a beacon; nil before the first of the present scan.
    var report: BeaconReport?
    /// True while beacons cannot be received.
    var isFailed = false

    /// The first report for a new region or condition.
    func present(_ pattern: BeaconPattern) -> BeaconReport? {
      isFailed ? .unavailable(pattern) : report
    }
  }

  private let beacons: BeaconService
  private let take: @Sendable (BeaconReport) -> Void
  /// Reports are delivered serially and never from within `follow`.
  private let queue = DispatchQueue(label: "lodestar-beacon-feed")
  private let state = Mutex(State())

  private struct State {
    var watches: [BeaconPattern: Watch] = [:]
    /// The last reported fault.
    var fault: BeaconError?
    var noticeReceiver: (@Sendable (String) -> Void)?
  }

  /// Makes a feed that watches no beacon.
  /// - Parameters:
  ///   - beacons: Receives beacons.
  ///   - take: Receives the reports, on the feed's queue.
  public init(beacons: BeaconService, reports take: @escaping @Sendable (BeaconReport) -> Void) {
    (self.beacons, self.take) = (beacons, take)
  }

  /// Calls `body` with a one-line reason when beacons cannot be received. A reason is repeated only
  /// after another reason or a beacon report. Monitoring continues: the conditions of monitors are
  /// reported as unmonitored, and the states of regions do not change meanwhile.
  public func onNotice(_ body: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.noticeReceiver = body }
  }

  /// Replaces the set of watched beacons. Call it when monitoring may have changed.
  ///
  /// The last report of each pattern that is already watched is repeated, for new regions and
  /// conditions.
  public func follow(_ wanted: Set<BeaconPattern>) {
    state.withLock { state in
      for pattern in state.watches.keys where !wanted.contains(pattern) {
        state.watches.removeValue(forKey: pattern)?.observation.cancel()
      }
      for pattern in wanted {
        if state.watches[pattern] != nil {
          queue.async { [weak self] in self?.repeatReport(of: pattern) }
          continue
        }
        guard let constraint = BeaconConstraint(pattern) else { continue }
        let observation = beacons.watch(BeaconPresence(constraint)) { [weak self] in
          self?.receive($0, of: pattern)
        }
        state.watches[pattern] = Watch(observation: observation)
      }
    }
  }

  private func receive(_ presence: PresenceReport, of pattern: BeaconPattern) {
    switch presence {
    case .changed(let transition):
      var report = BeaconReport(pattern: pattern, isPresent: transition.to == .inside)
      report.heard = transition.identity.map { BeaconConstraint($0).pattern }
      let isWanted = state.withLock { [report] state in
        state.fault = nil
        state.watches[pattern]?.report = report
        state.watches[pattern]?.isFailed = false
        return state.watches[pattern] != nil
      }
      if isWanted { queue.async { [take, report] in take(report) } }
    case .failed(let error):
      let (receiver, isNew) = state.withLock { state in
        defer {
          state.fault = error
          state.watches[pattern]?.isFailed = true
          state.watches[pattern]?.report = nil
        }
        let isNew = state.watches[pattern]?.isFailed == false
        return (state.fault == error ? nil : state.noticeReceiver, isNew)
      }
      receiver?("\(error)")
      if isNew { queue.async { [take] in take(.unavailable(pattern)) } }
    case .resumed:
      state.withLock { $0.watches[pattern]?.isFailed = false }
    }
  }

  private func repeatReport(of pattern: BeaconPattern) {
    if let report = state.withLock({ $0.watches[pattern]?.present(pattern) }) { take(report) }
  }
}

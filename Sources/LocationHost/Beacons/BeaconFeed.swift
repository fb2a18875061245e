import Foundation
import Monitoring
import Radio
import Synchronization

/// Reports the beacons that regions and conditions are about to monitoring. Bluetooth is used while there are any.
public final class BeaconFeed: Sendable {
  private struct Watch {
    let observation: BeaconObservation
    /// What was reported last; nil before the first.
    var report: BeaconReport?
  }

  private let beacons: BeaconService
  private let take: @Sendable (BeaconReport) -> Void
  /// Reports come one after the other, and never from within `follow`.
  private let queue = DispatchQueue(label: "lodestar.beacon-feed")
  private let state = Mutex(State())

  private struct State {
    var watches: [BeaconPattern: Watch] = [:]
    /// The fault that was reported last.
    var fault: BeaconError?
    var noticeReceiver: (@Sendable (String) -> Void)?
  }

  /// Makes a feed that watches nothing yet.
  /// - Parameters:
  ///   - beacons: Receives beacons.
  ///   - take: Takes reports, on a queue of the feed's.
  public init(beacons: BeaconService, reports take: @escaping @Sendable (BeaconReport) -> Void) {
    (self.beacons, self.take) = (beacons, take)
  }

  /// Calls `body` with the reason why beacons cannot be received, in one line, once until another reason or a
  /// report of a beacon comes. Monitoring goes on then; no state changes meanwhile.
  public func onNotice(_ body: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.noticeReceiver = body }
  }

  /// Watches these from now on; to be called whenever what is monitored may have changed.
  ///
  /// What is known of those that were watched before is reported again, for whoever is new.
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
        return state.watches[pattern] != nil
      }
      if isWanted { queue.async { [take, report] in take(report) } }
    case .failed(let error):
      let receiver = state.withLock { state in
        defer { state.fault = error }
        return state.fault == error ? nil : state.noticeReceiver
      }
      receiver?("\(error)")
    }
  }

  private func repeatReport(of pattern: BeaconPattern) {
    if let report = state.withLock({ $0.watches[pattern]?.report }) { take(report) }
  }
}

import Foundation
import Monitoring
import Radio

/// Tells monitoring of the beacons that its regions and conditions are about. Bluetooth is used while there are
/// any.
public final class BeaconFeed: @unchecked Sendable {
  private struct Watch {
    let observation: BeaconObservation
    /// What was reported last; nil before the first.
    var report: BeaconReport?
  }

  private let beacons: BeaconService
  private let take: @Sendable (BeaconReport) -> Void
  /// Reports come one after the other, and never from within `follow`.
  private let queue = DispatchQueue(label: "lodestar.beacon-feed")
  private let lock = NSLock()

  // Under the lock.
  private var watches: [BeaconPattern: Watch] = [:]
  private var toldFault: BeaconError?
  private var noticeReceiver: (@Sendable (String) -> Void)?

  /// Makes a feed that watches nothing yet.
  /// - Parameters:
  ///   - beacons: What hears.
  ///   - take: Takes reports, on a queue of the feed's.
  public init(beacons: BeaconService, reports take: @escaping @Sendable (BeaconReport) -> Void) {
    (self.beacons, self.take) = (beacons, take)
  }

  /// Makes a feed that watches nothing yet and does not name what it hears.
  /// - Parameters:
  ///   - beacons: What hears.
  ///   - tell: Takes a pattern and whether a beacon of it is present, on a queue of the feed's.
  public convenience init(
    beacons: BeaconService, tell: @escaping @Sendable (BeaconPattern, Bool) -> Void
  ) {
    self.init(beacons: beacons, reports: { tell($0.pattern, $0.isPresent) })
  }

  /// Hears why beacons cannot be heard, in one line, once until another reason comes or beacons are heard of
  /// again. Monitoring goes on by itself then; no state changes meanwhile.
  public func onNotice(_ body: @escaping @Sendable (String) -> Void) {
    lock.withLock { noticeReceiver = body }
  }

  /// Watches these from now on; to be called whenever what is monitored may have changed.
  ///
  /// What is known of those that were watched before is reported again, for whoever is new.
  public func follow(_ wanted: Set<BeaconPattern>) {
    lock.withLock {
      for pattern in watches.keys where !wanted.contains(pattern) {
        watches.removeValue(forKey: pattern)?.observation.cancel()
      }
      for pattern in wanted {
        if watches[pattern] != nil {
          queue.async { [weak self] in self?.repeatReport(of: pattern) }
          continue
        }
        guard let constraint = BeaconConstraint(pattern) else { continue }
        let observation = beacons.watch(BeaconPresence(constraint)) { [weak self] in
          self?.hear($0, of: pattern)
        }
        watches[pattern] = Watch(observation: observation)
      }
    }
  }

  private func hear(_ heard: PresenceReport, of pattern: BeaconPattern) {
    switch heard {
    case .changed(let transition):
      var report = BeaconReport(pattern: pattern, isPresent: transition.to == .inside)
      report.heard = transition.identity.map { BeaconConstraint($0).pattern }
      let isWanted = lock.withLock {
        toldFault = nil
        watches[pattern]?.report = report
        return watches[pattern] != nil
      }
      if isWanted { queue.async { [take, report] in take(report) } }
    case .failed(let error):
      let receiver = lock.withLock {
        defer { toldFault = error }
        return toldFault == error ? nil : noticeReceiver
      }
      receiver?("\(error)")
    }
  }

  private func repeatReport(of pattern: BeaconPattern) {
    if let report = lock.withLock({ watches[pattern]?.report }) { take(report) }
  }
}

import Foundation
import Radio

/// The service's reports and the results of the checks.
final class Record: @unchecked Sendable {
  private let lock = NSLock()
  private var ranged: [[RangedBeacon]] = []
  private var entered: [BeaconPresence.State] = []
  private var faults: [BeaconError.Kind] = []
  private(set) var failed = false

  var reports: [[RangedBeacon]] { lock.withLock { ranged } }
  var beacons: [RangedBeacon] { lock.withLock { ranged.last ?? [] } }
  var states: [BeaconPresence.State] { lock.withLock { entered } }
  var failures: [BeaconError.Kind] { lock.withLock { faults } }

  func clear() { lock.withLock { ranged = [] } }

  func range(_ service: BeaconService, _ constraint: BeaconConstraint) -> BeaconObservation {
    service.range(constraint) { [self] report in
      lock.withLock {
        switch report {
        case .ranged(let beacons, _): ranged.append(beacons)
        case .failed(let error): faults.append(error.kind)
        }
      }
    }
  }

  func watch(_ service: BeaconService, _ constraint: BeaconConstraint) -> BeaconObservation {
    service.watch(BeaconPresence(constraint)) { [self] report in
      guard case .changed(let transition) = report else { return }
      lock.withLock { entered.append(transition.to) }
    }
  }

  /// Waits for a condition.
  func check(_ name: String, within seconds: Double = 0, _ holds: () -> Bool) {
    let begin = Date()
    while !holds() {
      guard Date().timeIntervalSince(begin) < seconds else {
        failed = true
        print("FAIL \(name)\n     \(beacons)\n     \(states) \(failures)")
        fflush(nil)
        return
      }
      usleep(100_000)
    }
    print("PASS \(name) (\(Int(Date().timeIntervalSince(begin).rounded())) s)")
    fflush(nil)
  }
}

internal import Observers
internal import Synchronization

/// The beacons received for one constraint.
struct RangedBeacons {
  var constraint: CLBeaconIdentityConstraint
  var beacons: [CLBeacon]
}

/// The ranging that one manager has started.
final class ManagerRanging: Sendable {
  private struct Ranging {
    /// The region of a start in the form before iOS 13.
    var region: CLBeaconRegion?
    var observation: Observation?
  }
  private let entries = Mutex<[CLBeaconIdentityConstraint: Ranging]>([:])

  var constraints: Set<CLBeaconIdentityConstraint> { entries.withLock { Set($0.keys) } }

  var regions: Set<CLRegion> { entries.withLock { Set($0.values.compactMap(\.region)) } }

  /// The region that ranging was started with, else a new region of the constraint.
  func region(for constraint: CLBeaconIdentityConstraint) -> CLBeaconRegion {
    entries.withLock { $0[constraint]?.region }
      ?? CLBeaconRegion(
        beaconIdentityConstraint: constraint, identifier: constraint.uuid.uuidString)
  }

  func start(
    _ constraint: CLBeaconIdentityConstraint, region: CLBeaconRegion?, for session: ManagerSession
  ) {
    let isNew = entries.withLock { entries in
      defer { entries[constraint, default: Ranging()].region = region }
      return entries[constraint] == nil
    }
    guard isNew else { return }
    let observation = session.services.range(constraint) { [weak self, weak session] outcome in
      session?.post { state in
        // Checked in here: `stop` removes the constraint before the events that wait.
        guard self?.constraints.contains(constraint) == true else { return }
        switch outcome {
        case .success(let beacons):
          state.delegateQueue.post(
            .ranged(RangedBeacons(constraint: constraint, beacons: beacons)))
        case .failure(let error):
          state.delegateQueue.post(.rangingFailed(constraint, error))
        }
      }
    }
    entries.withLock { $0[constraint]?.observation = observation }
  }

  func stop(_ constraint: CLBeaconIdentityConstraint, for session: ManagerSession) {
    let entry = entries.withLock { $0.removeValue(forKey: constraint) }
    session.post { $0.delegateQueue.dropRanging(constraint) }
    entry?.observation?.cancel()
  }

  /// Ends all ranging.
  func close() {
    let ended = entries.withLock { entries in
      defer { entries = [:] }
      return entries.values.compactMap(\.observation)
    }
    for observation in ended { observation.cancel() }
  }
}

internal import Engine

/// The ranging for one constraint, with the region of a start in the form before iOS 13.
struct Ranging {
  var region: CLBeaconRegion?
  var observation: Observation?
}

/// The beacons received for one constraint.
struct RangedBeacons {
  var constraint: CLBeaconIdentityConstraint
  var beacons: [CLBeacon]
}

// Ranging for beacons.
extension ManagerSession {
  var rangedConstraints: Set<CLBeaconIdentityConstraint> {
    state.withLock { Set($0.ranging.keys) }
  }

  var rangedRegions: Set<CLRegion> {
    state.withLock { Set($0.ranging.values.compactMap(\.region)) }
  }

  /// The region that ranging was started with, else a new region of the constraint.
  func rangedRegion(for constraint: CLBeaconIdentityConstraint) -> CLBeaconRegion {
    state.withLock { $0.ranging[constraint]?.region }
      ?? CLBeaconRegion(
        beaconIdentityConstraint: constraint, identifier: constraint.uuid.uuidString)
  }

  func startRanging(_ constraint: CLBeaconIdentityConstraint, region: CLBeaconRegion?) {
    let isNew = state.withLock { state in
      defer { state.ranging[constraint, default: Ranging()].region = region }
      return state.ranging[constraint] == nil
    }
    guard isNew else { return }
    let observation = services.range(constraint) { [weak self] outcome in
      guard let self else { return }
      post { state in
        guard state.ranging[constraint] != nil else { return }
        switch outcome {
        case .success(let beacons):
          state.delegateQueue.post(
            .ranged(RangedBeacons(constraint: constraint, beacons: beacons)))
        case .failure(let error):
          state.delegateQueue.post(.rangingFailed(constraint, error))
        }
      }
    }
    state.withLock { $0.ranging[constraint]?.observation = observation }
  }

  func stopRanging(_ constraint: CLBeaconIdentityConstraint) {
    let observation = state.withLock { state in
      state.delegateQueue.dropRanging(constraint)
      return state.ranging.removeValue(forKey: constraint)?.observation
    }
    observation?.cancel()
  }
}

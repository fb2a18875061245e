internal import Engine

/// What a manager ranges for: the watch, and the region that was asked for in the form before iOS 13.
struct Ranging {
  var region: CLBeaconRegion?
  var watch: Observation?
}

/// What was heard of one constraint.
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

  /// The region that ranging was asked for with, else one that stands for the constraint.
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
    let watch = services.range(constraint) { [weak self] outcome in
      guard let self else { return }
      post { state in
        guard state.ranging[constraint] != nil else { return }
        switch outcome {
        case .success(let beacons):
          state.mailbox.post(
            .ranged(RangedBeacons(constraint: constraint, beacons: beacons)))
        case .failure(let error):
          state.mailbox.post(.rangingFailed(constraint, error))
        }
      }
    }
    state.withLock { $0.ranging[constraint]?.watch = watch }
  }

  func stopRanging(_ constraint: CLBeaconIdentityConstraint) {
    let watch = state.withLock { state in
      state.mailbox.dropRanging(constraint)
      return state.ranging.removeValue(forKey: constraint)?.watch
    }
    watch?.cancel()
  }
}

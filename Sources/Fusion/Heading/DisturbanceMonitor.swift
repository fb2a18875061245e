import Quantities

/// Says in words how far the field is from the earth's.
struct DisturbanceMonitor: Equatable, Sendable {
  /// Low-pass of the distance between the field and the earth's, microtesla².
  var distanceSquared = 0.0
  var secondsSinceDisturbance = Double.infinity
  private(set) var state = DisturbanceState.clean

  /// - Parameters:
  ///   - z: The field without the body's own iron, earth frame, microtesla.
  ///   - earth: What the filter believes of the earth's.
  ///   - t: How long it was measured, s.
  ///   - p: The filter's tuning.
  mutating func update(
    clean z: SIMD3<Double>, believed earth: EarthField, seconds t: Double,
    _ p: StrapdownFilter.Parameters
  ) {
    let distance = z - SIMD3(earth.horizontal, 0, earth.down)
    distanceSquared +=
      (distance.lengthSquared - distanceSquared) * (t / (t + p.disturbanceWordTime))
    judge(distanceSquared.squareRoot() / max(earth.total, 1), p)
  }

  private mutating func judge(_ ratio: Double, _ p: StrapdownFilter.Parameters) {
    // A word that is there stays until its cause is well gone.
    let stay = 0.7
    let magnet = p.magnetRatio * (state == .magnetNearby ? stay : 1)
    let disturbed = p.disturbedRatio * (state.isDisturbed ? stay : 1)
    if ratio > magnet {
      (state, secondsSinceDisturbance) = (.magnetNearby, 0)
    } else if ratio > disturbed {
      (state, secondsSinceDisturbance) = (.disturbed, 0)
    } else {
      state = secondsSinceDisturbance < p.recoveryTime ? .recovering : .clean
    }
  }

  /// Lets time pass, with a field or without.
  mutating func age(_ t: Double, _ p: StrapdownFilter.Parameters) {
    secondsSinceDisturbance += t
    if state == .recovering, secondsSinceDisturbance >= p.recoveryTime { state = .clean }
  }
}

extension DisturbanceMonitor {
  mutating func code(_ c: inout StateCoder) {
    c.code(&distanceSquared)
    c.code(&secondsSinceDisturbance)
    c.code(&state)
  }
}

import Quantities

/// Classifies the deviation of the field from the earth's.
struct DisturbanceMonitor: Equatable, Sendable {
  /// Low-pass of the squared deviation of the field from the earth's, microtesla².
  var distanceSquared = 0.0
  var secondsSinceDisturbance = Double.infinity
  private(set) var state = DisturbanceState.clean

  /// - Parameters:
  ///   - z: The field without the body's own iron, earth frame, microtesla.
  ///   - earth: The estimated earth's field.
  ///   - t: The duration of the measurement, s.
  ///   - p: The tuning parameters.
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
    // Hysteresis: a state ends only well below the ratio at which it began.
    let hysteresis = 0.7
    let magnet = p.magnetRatio * (state == .magnetNearby ? hysteresis : 1)
    let disturbed = p.disturbedRatio * (state.isDisturbed ? hysteresis : 1)
    if ratio > magnet {
      (state, secondsSinceDisturbance) = (.magnetNearby, 0)
    } else if ratio > disturbed {
      (state, secondsSinceDisturbance) = (.disturbed, 0)
    } else {
      state = secondsSinceDisturbance < p.recoveryTime ? .recovering : .clean
    }
  }

  /// Advances the time, with a field or without.
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

import Quantities

/// Going on after a pause: what a filter learnt of its sensors outlives its belief of where they point.
extension StrapdownFilter {
  /// Starts level and heading anew, from another filter's where there is one, and keeps what was learnt of
  /// gyroscope, field and latency.
  mutating func resume(from solution: AttitudeSolution?) {
    let fresh = Self.initialErrors(parameters)
    for i in Array(0..<3) + Array(ErrorState.velocity..<ErrorState.iron) {
      errors.reset(i, variance: fresh[i, i])
    }
    attitude = nil
    timestamp = nil
    velocity = .zero
    field.disturbance = .zero
    (rest, fieldTurn, alignment) = (RestDetector(), FieldTurn(), Alignment())
    (monitor, witness) = (DisturbanceMonitor(), FieldWitness())
    interval.clear()
    isHeadingKnown = false
    guard let solution, solution.isHeadingKnown, solution.isLevelKnown else { return }
    isHeadingKnown = true
    attitude = solution.attitude
    timestamp = solution.timestamp
    let tilt = parameters.initialTiltSigma * parameters.initialTiltSigma
    errors.grow(ErrorState.attitude, count: 2, by: tilt)
  }

  /// Takes in or gives out all but the parameters.
  mutating func code(_ c: inout StateCoder) {
    c.code(&attitude)
    c.code(&isHeadingKnown)
    c.code(&bias)
    c.code(&scale.diagonal)
    c.code(&scale.shear)
    c.code(&velocity)
    field.code(&c)
    errors.code(&c)
    rest.code(&c)
    fieldTurn.code(&c)
    c.code(&biasDoubt.isLearnt)
    c.code(&biasDoubt.contradictionSeconds)
    alignment.code(&c)
    monitor.code(&c)
    witness.code(&c)
    sensor.code(&c)
    c.code(&timestamp)
    c.code(&fieldTimestamp)
    c.code(&rate)
    c.code(&waitingField)
    interval.code(&c)
    c.code(&turnRate)
    c.code(&acceleration)
    c.code(&headingCorrection)
  }
}

extension ErrorCovariance {
  mutating func code(_ c: inout StateCoder) {
    for i in 0..<ErrorState.count {
      for j in 0..<ErrorState.count { c.code(&self[i, j]) }
    }
  }
}

extension CorrectionInterval {
  mutating func code(_ c: inout StateCoder) {
    c.code(&seconds)
    c.code(&turned)
    c.code(&swept)
    c.code(&sheared)
    c.code(&pushed)
    c.code(&rotationSquared)
    c.code(&jerkSquared)
    c.code(&field.seconds)
    c.code(&field.count)
    c.code(&field.field)
    c.code(&field.turning)
    c.code(&field.rotation)
  }
}

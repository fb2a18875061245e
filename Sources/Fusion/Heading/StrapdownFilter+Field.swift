import Quantities
import RealModule

/// What the field has to say of heading, of itself and of the gyroscope.
extension StrapdownFilter {
  mutating func correctField(_ sum: FieldSum) {
    let p = parameters
    guard sum.seconds > 0 else { return }
    let rotation = sum.meanRotation
    if overrule(sum.meanField, seconds: sum.seconds) { return }
    let clean = sum.meanField - rotation * field.iron
    let z = clean - field.disturbance
    let horizontal = (z.x * z.x + z.y * z.y).squareRoot()
    guard horizontal > Self.leastHorizontal else { return }
    reopen()
    // Along the horizontal field as it is measured, across it, and down.
    let along = SIMD3(z.x / horizontal, z.y / horizontal, 0)
    let across = SIMD3(-along.y, along.x, 0)
    let angle = Double.atan2(y: z.y, x: z.x)
    let innovation = SIMD3(
      horizontal - field.earth.horizontal, horizontal * angle, z.z - field.earth.down)
    let noise =
      p.fieldNoise * p.fieldNoise / sum.seconds
      + p.fieldRateNoise * p.fieldRateNoise * interval.rotationSquared / interval.seconds
    func sensitivity(_ u: SIMD3<Double>, _ strength: Int?) -> ErrorVector {
      var h = ErrorVector()
      h[block: ErrorState.attitude] = u.cross(z)
      h[block: ErrorState.disturbance] = u
      h[block: ErrorState.iron] = rotation.transposed * u
      if let strength { h[strength] = 1 }
      h[ErrorState.latency] = sum.meanTurning.dot(u)
      return h
    }
    let h = (
      sensitivity(along, ErrorState.horizontal), sensitivity(across, nil),
      sensitivity(SIMD3(0, 0, 1), ErrorState.down)
    )
    let expected =
      errors.product(h.0).dot(h.0) + errors.product(h.1).dot(h.1) + errors.product(h.2).dot(h.2)
      + 3 * noise
    let earth = along * innovation.x + across * innovation.y + SIMD3(0, 0, innovation.z)
    beSurprised(earth, across: across, expected: expected, seconds: sum.seconds)

    var correction = ErrorVector()
    measure(h.0, innovation.x, noise, &correction)
    measure(h.1, innovation.y, noise, &correction)
    measure(h.2, innovation.z, noise, &correction)
    inject(correction)
    monitor.update(clean: clean, believed: field.earth, seconds: sum.seconds, p)
  }

  /// Each against what the one before has left.
  private mutating func measure(
    _ h: ErrorVector, _ innovation: Double, _ noise: Double, _ correction: inout ErrorVector
  ) {
    let g = errors.product(h)
    let s = g.dot(h) + noise
    let k = g * Self.fieldGain * (1 / s)
    errors.update(gain: k, covariance: g, variance: s)
    correction.add(k, times: innovation - h.dot(correction))
  }

  /// Iron nearby must not tilt the horizon.
  private static let fieldGain = ErrorVector(mask: 2..<12, 15..<24)
  /// A field that points straight down has no direction, microtesla.
  private static let leastHorizontal = 0.5
}

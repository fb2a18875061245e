import Quantities

/// What the filter believes of the field.
struct FieldModel: Equatable, Sendable {
  /// The earth's own, as it is found here.
  var earth = EarthField(horizontal: 0, down: 0)
  /// What the field is off by where the body is, microtesla, earth frame.
  var disturbance = SIMD3<Double>.zero
  /// Iron that moves with the body, beyond its calibration, microtesla, body frame.
  var iron = SIMD3<Double>.zero
  /// The magnetometer's latency after the gyroscope, s.
  var latency = 0.0
}

extension EarthField {
  /// The parts of a field in the earth frame, microtesla; where it points plays no part.
  init(of z: SIMD3<Double>) {
    self.init(horizontal: (z.x * z.x + z.y * z.y).squareRoot(), down: z.z)
  }

  /// The mean square of what it differs by in strength and depth, in which heading has no part,
  /// microtesla².
  func misfitSquared(to other: EarthField) -> Double {
    let (horizontal, down) = (self.horizontal - other.horizontal, self.down - other.down)
    return (horizontal * horizontal + down * down) / 2
  }
}

extension FieldModel {
  mutating func code(_ c: inout StateCoder) {
    c.code(&disturbance)
    c.code(&iron)
    c.code(&earth.horizontal)
    c.code(&earth.down)
    c.code(&latency)
  }
}

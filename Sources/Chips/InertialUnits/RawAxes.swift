import Quantities

/// Three signed counts as an inertial unit's registers hold them.
struct RawAxes {
  /// The counts on x, y and z.
  let counts: SIMD3<Int16>

  /// Takes six bytes, the high byte of each axis first.
  init(bigEndian bytes: RegisterBytes, at index: Int) {
    counts = SIMD3(
      bytes.bigEndian(at: index), bytes.bigEndian(at: index + 2), bytes.bigEndian(at: index + 4))
  }

  /// Takes six bytes, the low byte of each axis first, and drops unused low bits, with the sign
  /// kept.
  init(littleEndian bytes: RegisterBytes, at index: Int, unusedBits: Int16 = 0) {
    counts = SIMD3(
      bytes.littleEndian(at: index) >> unusedBits, bytes.littleEndian(at: index + 2) >> unusedBits,
      bytes.littleEndian(at: index + 4) >> unusedBits)
  }

  /// The angular rate by each axis's size of a count, radians per second.
  func angularRate(
    perCount scale: SIMD3<Double>, rails: ClosedRange<Int16>
  ) -> Reading<AngularRate<SensorFrame>> {
    reading(perCount: scale, rails).map { AngularRate(radiansPerSecond: $0) }
  }

  /// The specific force by each axis's size of a count, metres per second squared.
  func specificForce(
    perCount scale: SIMD3<Double>, rails: ClosedRange<Int16>
  ) -> Reading<SpecificForce<SensorFrame>> {
    reading(perCount: scale, rails).map { SpecificForce(metresPerSecondSquared: $0) }
  }

  private func reading(
    perCount scale: SIMD3<Double>, _ rails: ClosedRange<Int16>
  ) -> Reading<SIMD3<Double>> {
    var atRail = 0
    for axis in 0..<3 where counts[axis] <= rails.lowerBound || counts[axis] >= rails.upperBound {
      atRail += 1
    }
    let vector = SIMD3(Double(counts.x), Double(counts.y), Double(counts.z))
    return Reading(vector * scale, axesAtEnd: atRail)
  }
}

extension Reading<SIMD3<Double>> {
  /// The reading of a vector with some axes at the end of the range, where each may have been beyond
  /// it. With all three the chip may have had no data: many report that as the lowest counts.
  package init(_ vector: SIMD3<Double>, axesAtEnd: Int) {
    self = axesAtEnd == 0 ? .value(vector) : axesAtEnd < 3 ? .clipped(vector) : .saturated
  }
}

extension InertialReading {
  /// The reading of the 16-bit counts of both quantities.
  init(
    rate: RawAxes, _ gyroscope: some AngularRateRange,
    force: RawAxes, _ accelerometer: some UniformForceRange
  ) {
    self.init(
      angularRate: rate.angularRate(
        perCount: SIMD3(repeating: gyroscope.radiansPerSecondPerCount), rails: .bits16),
      specificForce: force.specificForce(
        perCount: SIMD3(repeating: accelerometer.metresPerSecondSquaredPerCount), rails: .bits16))
  }
}

extension ClosedRange<Int16> {
  /// The least and greatest count of 16 bits.
  static var bits16: Self { -32_768...32_767 }
  /// The least and greatest count of 12 bits.
  static var bits12: Self { -2048...2047 }
}

/// Units that the data sheets use.
enum Unit {
  /// Standard gravity, m/s²: the data sheets' g. (CGPM 1901, resolution 2.)
  static var gravity: Double { 9.806_65 }
  /// A degree, radians.
  static var degree: Double { .pi / 180 }

  /// Whether a range is wide enough. Tolerates a millionth, because a requested value may have been
  /// converted from another unit.
  static func range(_ fullScale: Double, holds wanted: Double) -> Bool {
    fullScale * 1.000_001 >= wanted
  }
}

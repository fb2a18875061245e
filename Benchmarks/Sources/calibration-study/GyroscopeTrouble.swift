import Quantities

/// The additional errors of a worse gyroscope.
struct GyroscopeTrouble: Sendable {
  /// A factor on the rate.
  var scale = 1.0
  /// A steady rate about each axis, with signs by turns, degrees a second.
  var bias = 0.0
  /// White noise: the angle's random walk, degrees after a second.
  var angleWalk = 0.0
  /// The bias's random walk, degrees a second after a second.
  var biasWalk = 0.0

  /// None.
  static let none = GyroscopeTrouble()

  /// The rate with the trouble in it, sample by sample.
  struct Process {
    private let trouble: GyroscopeTrouble
    private let period: Double
    private var draws: Draws
    private var drift = SIMD3<Double>.zero

    init(_ trouble: GyroscopeTrouble, period: Double, seed: Int) {
      (self.trouble, self.period) = (trouble, period)
      draws = Draws(seed: seed)
    }

    mutating func callAsFunction(_ rate: SIMD3<Double>) -> SIMD3<Double> {
      let degree = Double.pi / 180
      if trouble.biasWalk > 0 {
        drift += draws.vector() * (trouble.biasWalk * degree * period.squareRoot())
      }
      var disturbed: SIMD3<Double> = rate * trouble.scale + drift
      disturbed += SIMD3(1, -1, 1) * (trouble.bias * degree)
      if trouble.angleWalk > 0 {
        disturbed += draws.vector() * (trouble.angleWalk * degree / period.squareRoot())
      }
      return disturbed
    }
  }
}

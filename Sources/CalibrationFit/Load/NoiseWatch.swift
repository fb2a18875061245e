import Quantities

/// Measures the noise of a field that has a memory, as the density that white noise of the same effect has:
/// means of a second, their variance, and how alike two successive ones are (a first-order process).
struct NoiseWatch: Equatable, Sendable {
  /// Over how many blocks is averaged.
  private static let horizon = 60.0
  /// As many blocks must be known before they say anything.
  private static let needed = 8.0

  private var sum = SIMD3<Double>.zero
  private var seconds = 0.0
  private var last: SIMD3<Double>?
  private var blocks = 0.0
  private var square = 0.0
  private var product = 0.0

  /// The squared density, microtesla²·s; nil before enough is known.
  var density2: Double? {
    guard blocks >= Self.needed, square > 0 else { return nil }
    // Likeness above 0.9 cannot be told from a drift in a minute.
    let likeness = max(0, min(0.9, product / square))
    return square * (1 + likeness) / (1 - likeness)
  }

  /// Adds what a model left of a field, microtesla, over so many seconds.
  mutating func add(_ residual: SIMD3<Double>, seconds dt: Double) {
    sum += residual * dt
    seconds += dt
    guard seconds >= 1 else { return }
    let mean = sum / seconds
    blocks += 1
    let gain = 1 / min(blocks, Self.horizon)
    square += (mean.lengthSquared / 3 * seconds - square) * gain
    if let last { product += (mean.dot(last) / 3 * seconds - product) * gain }
    (last, sum, seconds) = (mean, .zero, 0)
  }
}
